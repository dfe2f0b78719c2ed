// Aeroplane Chess for two seats with two planes each, solved exactly: aeroplane capture|block.
//
// A state before the roll is the planes of the seat to move and those of the other. Both seats see
// the same board, so values are those of the seat to move. The two planes of a seat are numbered as
// one pair, in the order of their progress. Pairs with a plane at home come last and are solved
// first; among the others values are iterated, from those nearest to home to those in the hangar.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "report.hpp"

namespace {

// The board. -------------------------------------------------------------------------------------

// Places of a plane, as in places.py of the game.
constexpr int HANGAR = 0, LAUNCH = 1, TRACK_END = 51, CROSSED = 54, HOME = 57, PLACES = 58;
constexpr int FLIGHT_POINT = 19, FLIGHT_END = 31, JUMP = 4, SQUARES = 52, ROLLS = 6;
constexpr int MOST_PAIRS = PLACES * (PLACES + 1) / 2;
constexpr double TOLERANCE = 1e-13;

bool on_track(int place) { return LAUNCH < place && place <= TRACK_END; }

int landing(int place, int roll) {
    if (place == HANGAR) return LAUNCH;
    place += roll;
    return place <= HOME ? place : 2 * HOME - place;
}

int after_jump(int place) {
    if (!on_track(place) || place % 4 != 3) return place;
    if (place == FLIGHT_POINT) return FLIGHT_END + JUMP;
    return place + JUMP == FLIGHT_POINT ? FLIGHT_END : place + JUMP;
}

// Return the other seat's place on the square of a place, or HANGAR if it never stands there.
int seen_by_other(int place) {
    if (!on_track(place)) return HANGAR;
    const int there = (place - 2 + SQUARES / 2) % SQUARES + 2;
    return there <= TRACK_END ? there : HANGAR;
}

// Pairs of planes. -------------------------------------------------------------------------------

struct Pairs {
    std::vector<std::pair<int, int>> planes;  // the lower place first
    int number[PLACES][PLACES];
    int under_way;  // how many have no plane at home; these come first, and the pair at home last

    Pairs() {
        for (int low = 0; low < PLACES; ++low)
            for (int high = low; high < PLACES; ++high) planes.push_back({low, high});
        const auto rank = [](const std::pair<int, int>& pair) {
            const int home = (pair.first == HOME) + (pair.second == HOME);
            return std::make_pair(home, pair.first + pair.second);
        };
        std::stable_sort(planes.begin(), planes.end(), [&](const auto& one, const auto& other) {
            return rank(one) < rank(other);
        });
        for (int pair = 0; pair < size(); ++pair) {
            const auto [low, high] = planes[pair];
            number[low][high] = number[high][low] = pair;
        }
        under_way = size() - 1 - HOME;
    }

    int size() const { return planes.size(); }
};

// What a landing does to the other's planes: the mover ends where it jumped to, stays where the die
// put it, or goes back to where it was, and the other's pair becomes another one.
enum Ending { JUMPED, LANDED, BACK, ENDINGS };

struct Effect {
    int pair;  // the other's, before
    int after;
    Ending ending;
};

template <bool BLOCK>
class Solution {
    struct Move {
        std::uint16_t next[ENDINGS];
        std::uint16_t landed;
    };
    struct Moves {
        int count = 0;  // 0 if no plane can move
        Move moves[2];
    };

    const Pairs pairs;
    const int size = pairs.size();
    std::vector<Moves> moves;                  // by pair and roll
    std::vector<std::uint16_t> after[PLACES];  // by landing and the other's pair: that pair then
    std::vector<std::uint8_t> ending[PLACES];  // and how the move ends
    std::vector<Effect> effects[PLACES];       // of those pairs for which anything changes
    // values[a * size + b] is that of a state to the seat to move, which has pair a; swapped has
    // the same numbers with rows and columns exchanged, so that either seat's moves walk a row.
    std::vector<double> values, swapped;

  public:
    int sweeps = 0;

    Solution() {
        list_moves();
        for (int place = 0; place < PLACES; ++place) list_effects(place);
        values.assign(std::size_t(size) * size, 0.0);
        swapped = values;
        const int home = size - 1;
        for (int pair = 0; pair < home; ++pair) {
            set(home, pair, 1.0);
            set(pair, home, -1.0);
        }
        converge(pairs.under_way, home, pairs.under_way, home);
        converge(0, pairs.under_way, pairs.under_way, home);
        converge(0, pairs.under_way, 0, pairs.under_way);
    }

    double start() const { return values[0]; }
    long long states() const { return (long long)(size - 1) * (size - 1); }

  private:
    void set(int mover, int other, double value) {
        values[std::size_t(mover) * size + other] = value;
        swapped[std::size_t(other) * size + mover] = value;
    }

    void list_moves() {
        moves.resize(size * ROLLS);
        for (int pair = 0; pair < size; ++pair)
            for (int roll = 1; roll <= ROLLS; ++roll) {
                const auto [low, high] = pairs.planes[pair];
                add_move(moves[pair * ROLLS + roll - 1], low, high, roll);
                if (low != high) add_move(moves[pair * ROLLS + roll - 1], high, low, roll);
            }
    }

    void add_move(Moves& list, int place, int stays, int roll) {
        if (place == HOME || (place == HANGAR && roll != 6)) return;
        const int landed = landing(place, roll);
        Move& move = list.moves[list.count++];
        move.landed = landed;
        move.next[JUMPED] = pairs.number[after_jump(landed)][stays];
        move.next[LANDED] = pairs.number[landed][stays];
        move.next[BACK] = pairs.number[place][stays];
    }

    void list_effects(int landed) {
        const int end = after_jump(landed);
        const int here = seen_by_other(landed), there = seen_by_other(end);
        after[landed].resize(size);
        ending[landed].assign(size, JUMPED);
        for (int pair = 0; pair < size; ++pair) {
            auto [low, high] = pairs.planes[pair];
            Ending how = JUMPED;
            if (BLOCK && low == high && low != HANGAR)
                how = low == here ? BACK : low == there ? LANDED : JUMPED;
            const bool flies = how == JUMPED && end - landed > JUMP;
            for (int* plane : {&low, &high}) {
                const bool caught = how != BACK && *plane == here;
                const bool caught_later = how == JUMPED && *plane == there;
                if (caught || caught_later || (flies && *plane == CROSSED)) *plane = HANGAR;
            }
            after[landed][pair] = pairs.number[low][high];
            ending[landed][pair] = how;
            if (after[landed][pair] != pair || how != JUMPED)
                effects[landed].push_back({pair, after[landed][pair], how});
        }
    }

    // Iterate the states in which the lower pair is from one range, and the higher from the other.
    void converge(int low_begin, int low_end, int high_begin, int high_end) {
        int passes = 0;
        for (double change = 1.0; change > TOLERANCE; ++passes) {
            change = 0.0;
            for (int low = low_end - 1; low >= low_begin; --low) {
                const int from = std::max(low, high_begin);
                change = std::max(change, move_low(low, from, high_end));
                change = std::max(change, move_high(low, std::max(low + 1, from), high_end));
            }
        }
        sweeps = std::max(sweeps, passes);
    }

    // Compute the values of the states in which the mover has this pair, the other one of a range.
    double move_low(int low, int begin, int end) {
        double total[MOST_PAIRS], best[MOST_PAIRS], found[MOST_PAIRS];
        std::fill(total + begin, total + end, 0.0);
        for (int roll = 0; roll < ROLLS; ++roll) {
            const Moves& list = moves[low * ROLLS + roll];
            // A six moves again; otherwise the other is to move, whose loss is the mover's gain.
            const bool again = roll == ROLLS - 1;
            const std::vector<double>& from = again ? values : swapped;
            const double sign = again ? 1.0 : -1.0;
            if (list.count == 0) {
                const double* row = &from[std::size_t(low) * size];
                for (int other = begin; other < end; ++other) total[other] -= row[other];
                continue;
            }
            for (int place = 0; place < list.count; ++place) {
                const Move& move = list.moves[place];
                const double* row = &from[std::size_t(move.next[JUMPED]) * size];
                double* into = place == 0 ? best : found;
                for (int other = begin; other < end; ++other) into[other] = sign * row[other];
                for (const Effect& effect : effects[move.landed])
                    into[effect.pair] =
                        sign * from[std::size_t(move.next[effect.ending]) * size + effect.after];
            }
            if (list.count == 2)
                for (int other = begin; other < end; ++other)
                    best[other] = std::max(best[other], found[other]);
            for (int other = begin; other < end; ++other) total[other] += best[other];
        }
        double change = 0.0;
        double* row = &values[std::size_t(low) * size];
        for (int other = begin; other < end; ++other) {
            const double value = total[other] / ROLLS;
            change = std::max(change, std::abs(value - row[other]));
            row[other] = value;
        }
        for (int other = begin; other < end; ++other)
            swapped[std::size_t(other) * size + low] = row[other];
        return change;
    }

    // The same where the mover has one from a range and the other a pair: nearest to home first, so
    // that later states of the row are already known.
    double move_high(int low, int begin, int end) {
        const double *again[PLACES], *passed[PLACES];  // by landing: the rows of the other's pair
        for (int landed = 0; landed < PLACES; ++landed) {
            again[landed] = &swapped[std::size_t(after[landed][low]) * size];
            passed[landed] = &values[std::size_t(after[landed][low]) * size];
        }
        double change = 0.0;
        double* row = &swapped[std::size_t(low) * size];
        for (int mover = end - 1; mover >= begin; --mover) {
            const Moves* lists = &moves[mover * ROLLS];
            double total = 0.0;
            for (int roll = 0; roll < ROLLS - 1; ++roll) {
                const Moves& list = lists[roll];
                if (list.count == 0)
                    total -= values[std::size_t(low) * size + mover];
                else if (list.count == 1)
                    total -= found(passed, list.moves[0], low);
                else
                    total -= std::min(found(passed, list.moves[0], low),
                                      found(passed, list.moves[1], low));
            }
            const Moves& six = lists[ROLLS - 1];
            double best = found(again, six.moves[0], low);
            if (six.count == 2) best = std::max(best, found(again, six.moves[1], low));
            const double value = (total + best) / ROLLS;
            change = std::max(change, std::abs(value - row[mover]));
            row[mover] = value;
        }
        for (int mover = begin; mover < end; ++mover)
            values[std::size_t(mover) * size + low] = row[mover];
        return change;
    }

    double found(const double* const* rows, const Move& move, int other) const {
        const int how = BLOCK ? int(ending[move.landed][other]) : int(JUMPED);
        return rows[move.landed][move.next[how]];
    }
};

template <bool BLOCK>
void solve() {
    const Stopwatch watch;
    const Solution<BLOCK> solution;
    report_solution(solution.start(), solution.states(), solution.sweeps, watch);
    std::printf("}\n");
}

}  // namespace

int main(int, char** arguments) {
    if (std::strcmp(arguments[1], "block") == 0)
        solve<true>();
    else
        solve<false>();
}
