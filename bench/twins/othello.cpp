// The alpha-beta search of ludex/search/alphabeta.py on Othello, with its table, killers and
// history, written as one would in C++: the same nodes in the same order, with the same values.
//
//     othello DEPTH ROWS   to this depth, with a table of so many rows

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "report.hpp"

namespace {

using Bits = std::uint64_t;

// The game. --------------------------------------------------------------------------------------

constexpr int PASS = 64;
constexpr Bits CORNERS = 0x8100000000000081;
constexpr Bits INNER_COLUMNS = 0x7E7E7E7E7E7E7E7E, INNER_ROWS = 0x00FFFFFFFFFFFF00;
constexpr Bits INNER = INNER_COLUMNS & INNER_ROWS;

struct Board {
    Bits discs[2];  // Black's, and White's
    int seat;       // the seat to move
};

template <int step>
Bits run_up(Bits ends, Bits discs) {
    Bits run = discs & (ends << step);
    run |= discs & (run << step);
    const Bits pairs = discs & (discs << step);
    run |= pairs & (run << 2 * step);
    return run | (pairs & (run << 2 * step));
}

template <int step>
Bits run_down(Bits ends, Bits discs) {
    Bits run = discs & (ends >> step);
    run |= discs & (run >> step);
    const Bits pairs = discs & (discs >> step);
    run |= pairs & (run >> 2 * step);
    return run | (pairs & (run >> 2 * step));
}

template <int step>
Bits beyond(Bits mine, Bits discs) {
    return run_up<step>(mine, discs) << step | run_down<step>(mine, discs) >> step;
}

Bits placings(Bits mine, Bits theirs) {
    const Bits found = beyond<1>(mine, theirs & INNER_COLUMNS) | beyond<7>(mine, theirs & INNER) |
                       beyond<8>(mine, theirs & INNER_ROWS) | beyond<9>(mine, theirs & INNER);
    return found & ~(mine | theirs);
}

template <int step>
Bits turned_along(Bits mine, Bits discs, Bits disc) {
    const Bits up = run_up<step>(disc, discs), down = run_down<step>(disc, discs);
    return ((up << step) & mine ? up : 0) | ((down >> step) & mine ? down : 0);
}

Board apply(const Board& board, int move) {
    Board after = board;
    after.seat = 1 - board.seat;
    if (move == PASS) return after;
    const Bits disc = Bits{1} << move;
    const Bits mine = board.discs[board.seat], theirs = board.discs[after.seat];
    const Bits turned = turned_along<1>(mine, theirs & INNER_COLUMNS, disc) |
                        turned_along<7>(mine, theirs & INNER, disc) |
                        turned_along<8>(mine, theirs & INNER_ROWS, disc) |
                        turned_along<9>(mine, theirs & INNER, disc);
    after.discs[board.seat] = mine | turned | disc;
    after.discs[after.seat] = theirs & ~turned;
    return after;
}

int count(Bits bits) { return __builtin_popcountll(bits); }

double result(const Board& board, int seat) {
    const int lead = count(board.discs[seat]) - count(board.discs[1 - seat]);
    return lead > 0 ? 1.0 : lead < 0 ? -1.0 : 0.0;
}

// The search. ------------------------------------------------------------------------------------

constexpr double LOW = -1.0, HIGH = 1.0, CLOSE = 1e-9;
constexpr int NO_ACTION = 2047, MOST_PLIES = 256, ACTIONS = 65;
constexpr Bits MASK = (Bits{1} << 62) - 1, FACTOR = 0x1E3779B97F4A7C15;
enum Bound { NOTHING, EXACT, AT_LEAST, AT_MOST };

struct Entry {
    Bits discs[2];
    int seat, action, depth, search;
    Bound bound;
    double value;
};

Bits mix(Bits seed, Bits number) {
    const Bits product = ((seed ^ number) * FACTOR) & MASK;
    return product ^ product >> 29;
}

struct Search {
    int seat;        // values are for this seat
    Bits last;       // the last row of the table
    std::unique_ptr<Entry, decltype(&std::free)> table;
    int number = 0;  // of the iteration
    long long nodes = 0;
    int killers[MOST_PLIES + 1][2] = {};  // action + 1, or 0
    long long history[2][ACTIONS] = {};

    Search(int seat, std::size_t rows)
        : seat(seat),
          last(rows - 1),
          table(static_cast<Entry*>(std::calloc(rows, sizeof(Entry))), &std::free) {}

    Entry& row_of(const Board& board, int depth) {
        Bits hash = mix(0, depth);
        for (const Bits number : {board.discs[0], board.discs[1], Bits(board.seat)})
            hash = mix(hash, number);
        return table.get()[hash & last];
    }

    static bool holds(const Entry& entry, const Board& board) {
        return entry.discs[0] == board.discs[0] && entry.discs[1] == board.discs[1] &&
               entry.seat == board.seat && entry.bound != NOTHING;
    }

    bool decides(const Entry& entry, int depth, double alpha, double beta) const {
        return entry.depth == depth && entry.search == number &&
               (entry.bound == EXACT || (entry.bound == AT_LEAST && entry.value >= beta) ||
                (entry.bound == AT_MOST && entry.value <= alpha));
    }

    void store(const Board& board, int depth, Bound bound, int action, double value) {
        Entry& entry = row_of(board, depth);
        if (entry.search == number && entry.depth > depth) return;
        entry = {{board.discs[0], board.discs[1]}, board.seat, action, depth, number, bound, value};
    }

    // Return the next square: from the table, a killer, or the best by history.
    int next_square(Bits squares, int first, int ply, int mover, int depth) const {
        if (first < PASS && squares >> first & 1) return first;
        for (const int killer : killers[ply])
            if (killer && killer <= PASS && squares >> (killer - 1) & 1) return killer - 1;
        int best = __builtin_ctzll(squares);
        if (depth > 1)
            for (Bits rest = squares & (squares - 1); rest; rest &= rest - 1) {
                const int square = __builtin_ctzll(rest);
                if (history[mover][square] > history[mover][best]) best = square;
            }
        return best;
    }

    void record_cutoff(int action, int ply, int mover, int depth) {
        if (killers[ply][0] != action + 1) {
            killers[ply][1] = killers[ply][0];
            killers[ply][0] = action + 1;
        }
        history[mover][action] += depth * depth;
    }

    double value(const Board& board, int depth, double alpha, double beta, int ply) {
        ++nodes;
        const int mover = board.seat;
        const Bits mine = board.discs[mover], theirs = board.discs[1 - mover];
        Bits squares = placings(mine, theirs);
        if (!squares && !placings(theirs, mine)) return result(board, seat);
        const bool ours = mover == seat;
        if (depth == 0) {
            const int choice = count(squares) - count(placings(theirs, mine));
            const int held = count(mine & CORNERS) - count(theirs & CORNERS);
            return (ours ? choice + 10 * held : -(choice + 10 * held)) / 128.0;
        }
        int first = NO_ACTION;
        if (depth > 1) {
            const Entry* entry = &row_of(board, depth);
            bool found = holds(*entry, board);
            if (!found && depth > 2) {
                entry = &row_of(board, depth - 1);
                found = holds(*entry, board);
            }
            if (found) {
                if (decides(*entry, depth, alpha, beta)) return entry->value;
                first = entry->action;
            }
        }
        double best = ours ? LOW - 1.0 : HIGH + 1.0, low = alpha, high = beta;
        int best_action = NO_ACTION;
        bool must_pass = !squares;
        while ((squares || must_pass) && low < high) {
            int action = PASS;
            if (must_pass)
                must_pass = false;
            else {
                action = next_square(squares, first, ply, mover, depth);
                squares &= ~(Bits{1} << action);
            }
            const double found = value(apply(board, action), depth - 1, low, high, ply + 1);
            if (ours ? found > best : found < best) best = found, best_action = action;
            if (ours)
                low = std::max(low, best);
            else
                high = std::min(high, best);
            if (low >= high) record_cutoff(action, ply, mover, depth);
        }
        if (depth > 1) {
            const Bound bound = best <= alpha ? AT_MOST : best >= beta ? AT_LEAST : EXACT;
            store(board, depth, bound, best_action, best);
        }
        return best;
    }
};

// Search the first position, one depth after the other from an empty table of so many rows, a power
// of two; return the value of the best move.
double alphabeta(int depth, std::size_t rows, long long& nodes) {
    const Board start = {{1ull << 28 | 1ull << 35, 1ull << 27 | 1ull << 36}, 0};
    Search search(0, rows);
    struct Move {
        int square;
        double value;
    };
    std::vector<Move> moves;
    for (Bits rest = placings(start.discs[0], start.discs[1]); rest; rest &= rest - 1)
        moves.push_back({__builtin_ctzll(rest), 0.0});
    double best = 0.0;
    for (int iteration = 1; iteration <= depth; ++iteration) {
        ++search.number;
        std::vector<Move*> tried;
        for (Move& move : moves) tried.push_back(&move);
        std::stable_sort(tried.begin(), tried.end(), [](const Move* one, const Move* other) {
            return one->value > other->value;
        });
        best = LOW - 1.0;
        for (Move* move : tried) {
            const double low = best - 2 * CLOSE;
            const Board after = apply(start, move->square);
            move->value = search.value(after, iteration - 1, low, HIGH + 1.0, 1);
            best = std::max(best, move->value);
        }
    }
    nodes = search.nodes;
    return best;
}

}  // namespace

int main(int, char** arguments) {
    const Stopwatch watch;
    long long nodes = 0;
    const double value = alphabeta(std::atoi(arguments[1]), std::atoll(arguments[2]), nodes);
    report_search(value, nodes, watch);
}
