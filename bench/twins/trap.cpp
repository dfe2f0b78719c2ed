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
#include <vector>

#include "report.hpp"

namespace {

constexpr int LANES = 16;  // of a row of cells, however many there are
constexpr double TOLERANCE = 1e-13, KEEPS = 1e-11;

int count(unsigned bits) { return __builtin_popcount(bits); }
int lowest(unsigned bits) { return __builtin_ctz(bits); }

struct Row {
    alignas(64) double at[LANES];  // by a cell

    void fill(double value) { std::fill(at, at + LANES, value); }
};

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
    std::vector<double> values;  // by traps, the seat to move, the other

    // Of the current set of traps, by the cell of the other: what a seat has after its step.
    Row best_new[CELLS];  // by a throw that adds a trap for sure
    std::vector<Throw> risky[CELLS];  // throws that may leave the set as it is
    Row stepped[CELLS];

  public:
    long long states = 0;
    int sweeps = 0;
    long long unproven = 0;

    Solution() : values(std::size_t(SETS) * CELLS * LANES) {
        for (int cell = 0; cell < CELLS; ++cell) prepare(cell);
        for (int traps = CELLS - 2; traps >= 0; --traps)
            for (unsigned set = 0; set < SETS; ++set)
                if (count(set) == traps) solve(set);
    }

    double value(unsigned set, int mover, int other) const { return row(set, mover)[other]; }

  private:
    const double* row(unsigned set, int mover) const {
        return &values[(std::size_t(set) * CELLS + mover) * LANES];
    }
    double* row(unsigned set, int mover) {
        return &values[(std::size_t(set) * CELLS + mover) * LANES];
    }

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
        hits[cell].fill(0.0);
        for (Row& chances : others[cell]) chances.fill(0.0);
        for (int thrower = 0; thrower < CELLS; ++thrower) {
            const int distance = std::abs(row_of(cell) - row_of(thrower)) +
                                 std::abs(column_of(cell) - column_of(thrower));
            const double hit = 1.0 - 0.05 * (distance - 1);
            hits[cell].at[thrower] = hit;
            for (int other = 0; other < CELLS; ++other) {
                const int beside = count(neighbours[cell] & ~(1u << thrower | 1u << other));
                others[cell][other].at[thrower] = (1.0 - hit) / beside;
            }
        }
    }

    void solve(unsigned set) {
        const unsigned free = ALL & ~set;
        for (unsigned rest = free; rest; rest &= rest - 1) list_throws(set, lowest(rest));
        const int cells = count(free);
        states += cells * (cells - 1);
        bool cycles = false;
        for (unsigned rest = free; rest; rest &= rest - 1) cycles |= !risky[lowest(rest)].empty();
        int passes = 1;
        for (double change = sweep(set, free); cycles && change > TOLERANCE; ++passes)
            change = sweep(set, free);
        sweeps = std::max(sweeps, passes);
        if (cycles) prove(set, free);
    }

    // Find what every throw is worth while the other stands on a cell.
    void list_throws(unsigned set, int other) {
        static const Row nothing = {};
        Row landed[CELLS];  // what a new trap on a cell is worth to its thrower
        for (int cell = 0; cell < CELLS; ++cell) {
            if ((set | 1u << other) >> cell & 1) {
                landed[cell] = nothing;
                continue;
            }
            // The thrower's own cell holds no trap, and its value there is 0.
            const double* after = row(set | 1u << cell, other);
            for (int lane = 0; lane < LANES; ++lane) landed[cell].at[lane] = -after[lane];
        }
        best_new[other].fill(-2.0);
        risky[other].clear();
        for (int target = 0; target < CELLS; ++target) {
            if (target == other) continue;
            Throw thrown;
            Row beside = nothing;
            for (unsigned rest = neighbours[target]; rest; rest &= rest - 1)
                for (int lane = 0; lane < LANES; ++lane)
                    beside.at[lane] += landed[lowest(rest)].at[lane];
            const Row &hit = hits[target], &each = others[target][other];
            for (int lane = 0; lane < LANES; ++lane)
                thrown.sure.at[lane] =
                    hit.at[lane] * landed[target].at[lane] + each.at[lane] * beside.at[lane];
            thrown.sure.at[target] = -2.0;  // nobody throws at the own cell
            const bool old = set >> target & 1;
            const int near = count(neighbours[target] & set);
            if (!old && !near) {
                for (int lane = 0; lane < LANES; ++lane)
                    best_new[other].at[lane] =
                        std::max(best_new[other].at[lane], thrown.sure.at[lane]);
                continue;
            }
            for (int lane = 0; lane < LANES; ++lane)
                thrown.again.at[lane] = old * hit.at[lane] + near * each.at[lane];
            thrown.again.at[target] = 0.0;
            risky[other].push_back(thrown);
        }
    }

    unsigned steps(unsigned set, int cell, int other) const {
        return neighbours[cell] & ~(set | 1u << other);
    }

    // Compute every value of a set from those of the last sweep; return the greatest change.
    double sweep(unsigned set, unsigned free) {
        double change = 0.0;
        for (unsigned rest = free; rest; rest &= rest - 1) {
            const int other = lowest(rest);
            const double* now = row(set, other);
            Row best = best_new[other];
            for (const Throw& thrown : risky[other])
                for (int lane = 0; lane < LANES; ++lane)
                    best.at[lane] = std::max(
                        best.at[lane], thrown.sure.at[lane] - thrown.again.at[lane] * now[lane]);
            // A step may enclose the other, who then has lost.
            const unsigned open = steps(set, other, other);
            if (count(open) <= 1)
                for (int cell = 0; cell < CELLS; ++cell)
                    if (!(open & ~(1u << cell))) best.at[cell] = 1.0;
            stepped[other] = best;
            for (unsigned movers = free & ~(1u << other); movers; movers &= movers - 1) {
                const int mover = lowest(movers);
                double value = -1.0;
                for (unsigned to = steps(set, mover, other); to; to &= to - 1)
                    value = std::max(value, best.at[lowest(to)]);
                double& known = row(set, mover)[other];
                change = std::max(change, std::abs(known - value));
                known = value;
            }
        }
        return change;
    }

    void prove(unsigned, unsigned) {}
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
