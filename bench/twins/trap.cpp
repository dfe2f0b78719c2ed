// AI Squid Game: Trap! on a small board, solved exactly: trap SIZE, for the sizes 3 and 4.
//
// A state in which a turn begins is a set of traps, the cell of the seat to move, and that of the
// other; the rules are the same for both seats, so values are those of the seat to move. Sets with
// more traps come first. A throw at an old trap may keep the set: then values are iterated from 0,
// and the result is proven to be right.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "report.hpp"

namespace {

constexpr int LANES = 16;  // of a row of cells, however many there are
constexpr double TOLERANCE = 1e-15, KEEPS = 1e-11;

int count(unsigned bits) { return __builtin_popcount(bits); }
int lowest(unsigned bits) { return __builtin_ctz(bits); }

using Quad = double __attribute__((vector_size(4 * sizeof(double))));
constexpr int QUADS = LANES / 4;

struct Row {
    Quad quads[QUADS];  // by a cell

    double operator[](int cell) const { return quads[cell / 4][cell % 4]; }
    void set(int cell, double value) { quads[cell / 4][cell % 4] = value; }
};

Row row_of_all(double value) {
    Row row;
    for (Quad& quad : row.quads) quad = Quad{value, value, value, value};
    return row;
}

Quad load(const double* from) {
    Quad quad;
    std::memcpy(&quad, from, sizeof quad);
    return quad;
}

Quad greater(Quad one, Quad other) { return one > other ? one : other; }

template <int SIZE>
class Solution {
    static constexpr int CELLS = SIZE * SIZE;
    static constexpr unsigned SETS = 1u << CELLS, ALL = SETS - 1;

    // A throw at a target in a set of traps: `sure` is what new traps are worth, `again` is the
    // probability that the set stays as it is. Both are rows by the cell of the thrower.
    struct Throw {
        Row sure, again;
    };

    unsigned neighbours[CELLS];
    Row hits[CELLS];           // by target: the probability of a hit from a cell
    Row others[CELLS][CELLS];  // by target and the other's cell: that of each cell beside it
    std::vector<Row> values;   // by traps, the seat to move, the other

    // Of the current set of traps, by the cell of the other.
    Row best_new[CELLS];              // the best of the throws that surely add a trap
    std::vector<Throw> risky[CELLS];  // throws that may leave the set as it is

  public:
    long long states = 0;
    int sweeps = 0;
    long long unproven = 0;

    Solution() : values(std::size_t(SETS) * CELLS, row_of_all(0.0)) {
        for (int cell = 0; cell < CELLS; ++cell) prepare(cell);
        for (int traps = CELLS - 2; traps >= 0; --traps)
            for (unsigned set = 0; set < SETS; ++set)
                if (count(set) == traps) solve(set);
    }

    double value(unsigned set, int mover, int other) const {
        return values[std::size_t(set) * CELLS + mover][other];
    }

  private:
    Row& row(unsigned set, int mover) { return values[std::size_t(set) * CELLS + mover]; }

    static int row_of(int cell) { return cell / SIZE; }
    static int column_of(int cell) { return cell % SIZE; }

    // Find the neighbours of a cell, and the chances of a throw at it.
    void prepare(int cell) {
        neighbours[cell] = 0;
        for (int other = 0; other < CELLS; ++other) {
            const int down = std::abs(row_of(cell) - row_of(other));
            const int across = std::abs(column_of(cell) - column_of(other));
            if (std::max(down, across) == 1) neighbours[cell] |= 1u << other;
        }
        hits[cell] = row_of_all(0.0);
        for (Row& chances : others[cell]) chances = row_of_all(0.0);
        for (int thrower = 0; thrower < CELLS; ++thrower) {
            const int distance = std::abs(row_of(cell) - row_of(thrower)) +
                                 std::abs(column_of(cell) - column_of(thrower));
            const double hit = 1.0 - 0.05 * (distance - 1);
            hits[cell].set(thrower, hit);
            for (int other = 0; other < CELLS; ++other) {
                const int beside = count(neighbours[cell] & ~(1u << thrower | 1u << other));
                others[cell][other].set(thrower, (1.0 - hit) / beside);
            }
        }
    }

    void solve(unsigned set) {
        const unsigned free = ALL & ~set;
        for (unsigned rest = free; rest; rest &= rest - 1) list_throws(set, lowest(rest));
        const int cells = count(free);
        states += cells * (cells - 1);
        unsigned cyclic = 0;  // cells of the other for which a throw may leave the set as it is
        for (unsigned rest = free; rest; rest &= rest - 1)
            cyclic |= unsigned(!risky[lowest(rest)].empty()) << lowest(rest);
        int passes = 0;
        for (unsigned stale = free; stale; ++passes) stale = sweep(set, free, stale) & cyclic;
        sweeps = std::max(sweeps, passes);
        if (cyclic) prove(set, free);
    }

    // Find what every throw is worth while the other stands on a cell.
    void list_throws(unsigned set, int other) {
        const Row nothing = row_of_all(0.0);
        Row landed[CELLS];  // what a new trap on a cell is worth to its thrower
        const unsigned open = ALL & ~(set | 1u << other);
        for (int cell = 0; cell < CELLS; ++cell) {
            landed[cell] = nothing;
            // On the thrower's own cell the value is 0.
            if (open >> cell & 1)
                for (int part = 0; part < QUADS; ++part)
                    landed[cell].quads[part] = -row(set | 1u << cell, other).quads[part];
        }
        best_new[other] = row_of_all(-2.0);
        risky[other].clear();
        for (int target = 0; target < CELLS; ++target) {
            if (target == other) continue;
            Row beside = nothing;
            for (unsigned rest = neighbours[target] & open; rest; rest &= rest - 1)
                for (int part = 0; part < QUADS; ++part)
                    beside.quads[part] += landed[lowest(rest)].quads[part];
            const Row &hit = hits[target], &each = others[target][other];
            Throw thrown;
            for (int part = 0; part < QUADS; ++part)
                thrown.sure.quads[part] = hit.quads[part] * landed[target].quads[part] +
                                          each.quads[part] * beside.quads[part];
            thrown.sure.set(target, -2.0);  // nobody throws at the own cell
            const double old = set >> target & 1, near = count(neighbours[target] & set);
            if (old + near == 0.0) {
                for (int part = 0; part < QUADS; ++part)
                    best_new[other].quads[part] =
                        greater(best_new[other].quads[part], thrown.sure.quads[part]);
                continue;
            }
            for (int part = 0; part < QUADS; ++part)
                thrown.again.quads[part] = old * hit.quads[part] + near * each.quads[part];
            thrown.again.set(target, 0.0);
            risky[other].push_back(thrown);
        }
    }

    unsigned steps(unsigned set, int cell, int other) const {
        return neighbours[cell] & ~(set | 1u << other);
    }

    // Compute the values of a set where the other stands on a stale cell. Return the cells of
    // movers whose values changed: throws while the other stands on one of them are now stale.
    unsigned sweep(unsigned set, unsigned free, unsigned stale) {
        unsigned changed = 0;
        for (unsigned rest = stale; rest; rest &= rest - 1) {
            const int other = lowest(rest);
            Row best;
            for (int part = 0; part < QUADS; ++part) {
                const Quad now = row(set, other).quads[part];
                Quad most = best_new[other].quads[part];
                for (const Throw& thrown : risky[other])
                    most = greater(most, thrown.sure.quads[part] - thrown.again.quads[part] * now);
                best.quads[part] = most;
            }
            best = with_enclosing(best, set, other);
            const Row moved = best_steps(best, free & ~(1u << other));
            for (unsigned movers = free & ~(1u << other); movers; movers &= movers - 1) {
                const int mover = lowest(movers);
                Row& known = row(set, mover);
                changed |= unsigned(std::abs(known[other] - moved[mover]) > TOLERANCE) << mover;
                known.set(other, moved[mover]);
            }
        }
        return changed;
    }

    // A step may enclose the other, who then has lost.
    Row with_enclosing(Row best, unsigned set, int other) const {
        const unsigned open = steps(set, other, other);
        if (count(open) <= 1)
            for (int cell = 0; cell < CELLS; ++cell)
                if (!(open & ~(1u << cell))) best.set(cell, 1.0);
        return best;
    }

    // Return for every cell the best of the steps to open cells around it; -1, a loss, if none is.
    static Row best_steps(const Row& stepped, unsigned open) {
        constexpr int STRIDE = 8;  // of a board with a margin
        // The neighbours of the cell below and right of a corner, except that corner.
        constexpr int TWO = 2 * STRIDE;
        constexpr int AROUND[] = {1, 2, STRIDE, STRIDE + 2, TWO, TWO + 1, TWO + 2};
        double board[(SIZE + 2) * STRIDE];
        std::fill(board, board + (SIZE + 2) * STRIDE, -1.0);
        for (unsigned rest = open; rest; rest &= rest - 1) {
            const int cell = lowest(rest);
            board[(row_of(cell) + 1) * STRIDE + column_of(cell) + 1] = stepped[cell];
        }
        Row best;
        for (int down = 0; down < SIZE; ++down) {
            Quad most = load(board + down * STRIDE);
            for (const int place : AROUND)
                most = greater(most, load(board + down * STRIDE + place));
            for (int across = 0; across < SIZE; ++across)
                best.set(down * SIZE + across, most[across]);
        }
        return best;
    }

    // The throws of a set of traps whose values are known, by the cell of the other.
    struct Delays {
        Row leaving[CELLS];            // what is best among those that may add a trap
        unsigned staying[CELLS] = {};  // cells from which one surely leaves the set as it is
    };

    Delays list_delays(unsigned set, unsigned free) {
        Delays delays;
        for (unsigned rest = free; rest; rest &= rest - 1) {
            const int other = lowest(rest);
            const Row& now = row(set, other);
            Row best = best_new[other];
            for (const Throw& thrown : risky[other])
                for (int part = 0; part < QUADS; ++part) {
                    const Quad again = thrown.again.quads[part];
                    const auto sure = again > 1.0 - KEEPS;
                    const Quad worth = thrown.sure.quads[part] - again * now.quads[part];
                    best.quads[part] = greater(best.quads[part], sure ? Quad{} - 2.0 : worth);
                    for (int lane = 0; lane < 4; ++lane)
                        delays.staying[other] |= (sure[lane] & 1u) << (4 * part + lane);
                }
            delays.leaving[other] = with_enclosing(best, set, other);
        }
        return delays;
    }

    // Count the states in which the seat that is ahead may have to wait for ever. As long as it
    // keeps its value, it must come nearer to a new trap or the end, whatever the other does
    // (docs/solving.md, Cycles).
    void prove(unsigned set, unsigned free) {
        const Delays delays = list_delays(set, free);
        unsigned open[CELLS] = {};  // by the seat to move: cells of the other, not yet proven
        bool any = false;
        for (unsigned movers = free; movers; movers &= movers - 1) {
            const int mover = lowest(movers);
            for (unsigned rest = free & ~(1u << mover); rest; rest &= rest - 1) {
                const int other = lowest(rest);
                const double value = row(set, mover)[other];
                const unsigned to = steps(set, mover, other);
                bool progress = std::abs(value) <= KEEPS || !to;
                if (value > 0.0)
                    for (unsigned each = to; each && !progress; each &= each - 1)
                        progress = delays.leaving[other][lowest(each)] >= value - KEEPS;
                else
                    progress = progress || !(to & delays.staying[other]);
                if (!progress) open[mover] |= 1u << other, any = true;
            }
        }
        for (bool gained = any; gained;) {
            gained = false;
            for (unsigned movers = free; movers; movers &= movers - 1) {
                const int mover = lowest(movers);
                for (unsigned rest = open[mover]; rest; rest &= rest - 1)
                    if (progresses(set, mover, lowest(rest), delays, open)) {
                        open[mover] &= ~(rest & -rest);
                        gained = true;
                    }
            }
        }
        for (const unsigned cells : open) unproven += count(cells);
    }

    // Whether a state that nobody leaves at once leads to one with progress.
    bool progresses(unsigned set, int mover, int other, const Delays& delays,
                    const unsigned* open) {
        const double value = row(set, mover)[other];
        const unsigned staying = steps(set, mover, other) & delays.staying[other];
        for (unsigned rest = staying; rest; rest &= rest - 1) {
            const int cell = lowest(rest);
            const bool proven = !(open[other] >> cell & 1);
            if (value < 0.0 && !proven) return false;
            if (value > 0.0 && proven && -row(set, other)[cell] >= value - KEEPS) return true;
        }
        return value < 0.0;
    }
};

template <int SIZE>
void solve() {
    const Stopwatch watch;
    const Solution<SIZE> solution;
    const double value = solution.value(0, SIZE / 2, (SIZE - 1) * SIZE + SIZE / 2);
    report_solution(value, solution.states, solution.sweeps, watch);
    std::printf(", \"unproven\": %lld}\n", solution.unproven);
}

}  // namespace

int main(int, char** arguments) {
    if (std::atoi(arguments[1]) == 3)
        solve<3>();
    else
        solve<4>();
}
