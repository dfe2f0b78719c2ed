// Mega Man Battle Arena, searched from its first position as Ludex does, as one would in C++:
//
//     arena count DEPTH            lines of play, as ludex/core/perft.py counts them
//     arena minimax DEPTH          as ludex/search/minimax.py
//     arena alphabeta DEPTH ROWS   as ludex/search/alphabeta.py, with a table of so many rows
//
// The same nodes in the same order, with the same values. As in Ludex, lives and damages are not
// known when this is compiled: they are rules, of which these are the defaults.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "report.hpp"

namespace {

using Bits = std::uint64_t;

// The game. --------------------------------------------------------------------------------------

constexpr int ROBOTS = 9, LAST = 8, NOBODY = 9, LANES = 16;
enum Seat { LIGHT, WILY };

struct Rules {
    int life = 30, gamma_life = 99, heal = 5, ceiling = 0, gamma_after = 8;
    int light[ROBOTS][LANES] = {
        {2, 1, 4, 1, 1, 4, 1, 1, 1}, {1, 4, 2, 1, 1, 1, 4, 1, 2}, {1, 1, 1, 2, 4, 2, 4, 2, 1},
        {4, 1, 2, 7, 1, 2, 2, 2, 4}, {1, 1, 1, 4, 1, 1, 2, 7, 12}, {1, 4, 2, 1, 4, 1, 1, 1, 1},
        {4, 2, 4, 1, 1, 1, 1, 1, 1}, {2, 2, 1, 1, 2, 4, 2, 4, 2}, {1, 2, 2, 1, 2, 1, 1, 2, 1},
    };
    int weapons[LAST][LANES] = {
        {14, 0, 0, 0, 4, 4, 1, 1, 1}, {4, 0, 2, 1, 0, 2, 0, 2, 2}, {0, 2, 0, 10, 0, 0, 4, 2, 1},
        {0, 4, 0, 0, 3, 2, 2, 0, 6},  {0, 14},                     {0, 0, 0, 1, 2, 0, 0, 6, 10},
        {0, 0, 8},                    {2, 6, 4, 2, 3, 0, 30, 0, 0},
    };
    int wily[ROBOTS][LANES];
    int mega[1 << LAST][LANES];  // Mega Man's best damages, by the weapons that he has

    Rules() {
        for (auto& row : wily) {
            std::fill(row, row + LANES, 0);
            std::fill(row, row + LAST, 2);
            row[LAST] = &row == &wily[LAST] ? 2 : 1;
        }
        for (int set = 0; set < 1 << LAST; ++set)
            for (int target = 0; target < LANES; ++target) {
                int best = light[LAST][target];
                for (int weapon = 0; weapon < LAST; ++weapon)
                    if (set >> weapon & 1) best = std::max(best, weapons[weapon][target]);
                mega[set][target] = best;
            }
    }
};

struct State {
    Bits light, wily;  // the lives of the first eight, a byte each
    int mega, gamma;
    int light_champion, wily_champion, weapons, seat;
};

int life(Bits lives, int last, int robot) {
    return robot == LAST ? last : int(lives >> 8 * robot & 127);
}

int living(Bits lives) {
    constexpr Bits EACH = 0x0101010101010101;
    return int((((lives + EACH * 127) >> 7 & EACH) * 0x0102040810204080) >> 56);
}

bool is_over(const State& state) {
    return (state.light == 0 && state.mega == 0) || (state.wily == 0 && state.gamma == 0);
}

class Game {
    const Rules rules;

  public:
    State start() const {
        Bits lives = 0;
        for (int robot = 0; robot < LAST; ++robot) lives |= Bits(rules.life) << 8 * robot;
        return {lives, lives, rules.life, rules.gamma_life, NOBODY, NOBODY, 0, LIGHT};
    }

    int moves(const State& state) const {
        if (state.seat == LIGHT) return living(state.light) | (state.mega > 0) << LAST;
        const int robots = living(state.wily);
        const bool enters =
            state.gamma > 0 && LAST - __builtin_popcount(robots) >= rules.gamma_after;
        return robots | enters << LAST;
    }

    State apply(const State& state, int move) const {
        State after = state;
        after.seat = 1 - state.seat;
        (state.seat == LIGHT ? after.light_champion : after.wily_champion) = move;
        const int mine = after.light_champion, theirs = after.wily_champion;
        if (mine == NOBODY || theirs == NOBODY) return after;
        const int my_life = life(state.light, state.mega, mine);
        const int their_life = life(state.wily, state.gamma, theirs);
        const int my_damage =
            mine == LAST ? rules.mega[state.weapons][theirs] : rules.light[mine][theirs];
        const int their_damage = rules.wily[theirs][mine];
        const int my_blows = (their_life + my_damage - 1) / my_damage;
        const int their_blows = (my_life + their_damage - 1) / their_damage;
        const int lead = state.seat == LIGHT;  // who enters strikes first
        if (my_blows < their_blows + lead) {
            const int left = my_life - (my_blows - lead) * their_damage;
            if (mine == LAST) {
                after.mega = healed(left);
                if (theirs != LAST) after.weapons |= 1 << theirs;
            } else
                after.light -= Bits(my_life - left) << 8 * mine;
            if (theirs == LAST)
                after.gamma = 0;
            else
                after.wily -= Bits(their_life) << 8 * theirs;
            after.wily_champion = NOBODY;
        } else {
            const int left = their_life - (their_blows - 1 + lead) * my_damage;
            if (theirs == LAST)
                after.gamma = left;
            else
                after.wily -= Bits(their_life - left) << 8 * theirs;
            if (mine == LAST)
                after.mega = 0;
            else
                after.light -= Bits(my_life) << 8 * mine;
            after.light_champion = NOBODY;
        }
        return after;
    }

    double result(const State& state, int seat) const {
        const int winner = state.light == 0 && state.mega == 0 ? WILY : LIGHT;
        return seat == winner ? 1.0 : -1.0;
    }

    double estimate(const State& state, int seat) const {
        // Gamma does not strike while he waits for the others to fall.
        const int gamma = state.wily && rules.gamma_after ? 0 : state.gamma;
        const double mine = blows(rules.wily, rules.wily[LAST], state.wily, gamma, state.light,
                                  state.mega);
        const double theirs = blows(rules.light, rules.mega[state.weapons], state.light, state.mega,
                                    state.wily, state.gamma);
        const double balance = (mine - theirs) / (mine + theirs + 1.0);
        return seat == LIGHT ? balance : -balance;
    }

  private:
    int healed(int left) const {
        if (rules.ceiling == 0) return left + rules.heal;
        return std::max(left, std::min(left + rules.heal, rules.ceiling));
    }

    // The average number of blows of one side that the targets can take.
    static double blows(const int (*rows)[LANES], const int* last_row, Bits lives, int last,
                        Bits targets, int last_target) {
        int total = last, dealt[ROBOTS];
        for (int target = 0; target < ROBOTS; ++target) dealt[target] = last * last_row[target];
        for (int robot = 0; robot < LAST; ++robot) {
            const int force = int(lives >> 8 * robot & 127);
            total += force;
            for (int target = 0; target < ROBOTS; ++target)
                dealt[target] += force * rows[robot][target];
        }
        double taken[LAST];
        for (int target = 0; target < LAST; ++target)
            taken[target] =
                double(int(targets >> 8 * target & 127)) / double(std::max(dealt[target], 1));
        double sum = 0.0;
        for (const double part : taken) sum += part;
        return (sum + double(last_target) / double(std::max(dealt[LAST], 1))) * total;
    }
};

// Lines, and minimax. ----------------------------------------------------------------------------

long long lines(const Game& game, const State& state, int depth) {
    if (is_over(state)) return 0;
    int moves = game.moves(state);
    if (depth == 1) return __builtin_popcount(moves);
    long long total = 0;
    for (; moves; moves &= moves - 1)
        total += lines(game, game.apply(state, __builtin_ctz(moves)), depth - 1);
    return total;
}

double minimax(const Game& game, const State& state, int seat, int depth, long long& nodes) {
    ++nodes;
    if (is_over(state)) return game.result(state, seat);
    if (depth == 0) return game.estimate(state, seat);
    const bool ours = state.seat == seat;
    double best = ours ? -2.0 : 2.0;
    for (int moves = game.moves(state); moves; moves &= moves - 1) {
        const State after = game.apply(state, __builtin_ctz(moves));
        const double value = minimax(game, after, seat, depth - 1, nodes);
        best = ours ? std::max(best, value) : std::min(best, value);
    }
    return best;
}

// Alpha-beta. ------------------------------------------------------------------------------------

constexpr double LOW = -1.0, HIGH = 1.0, CLOSE = 1e-9;
constexpr int NO_ACTION = 2047, MOST_PLIES = 256;
constexpr Bits MASK = (Bits{1} << 62) - 1, FACTOR = 0x1E3779B97F4A7C15;
enum Bound { NOTHING, EXACT, AT_LEAST, AT_MOST };

Bits mix(Bits seed, Bits number) {
    const Bits product = ((seed ^ number) * FACTOR) & MASK;
    return product ^ product >> 29;
}

struct Entry {
    State state;
    double value;
    std::int16_t action, depth, search;
    std::int8_t bound;
};

bool equal(const State& one, const State& other) {
    return one.light == other.light && one.wily == other.wily && one.mega == other.mega &&
           one.gamma == other.gamma && one.light_champion == other.light_champion &&
           one.wily_champion == other.wily_champion && one.weapons == other.weapons &&
           one.seat == other.seat;
}

struct Search {
    const Game& game;
    int seat;   // values are for this seat
    Bits last;  // the last row of the table
    std::unique_ptr<Entry, decltype(&std::free)> table;
    int number = 0;  // of the iteration
    bool estimated = false;
    long long nodes = 0;
    int killers[MOST_PLIES + 1][2] = {};  // action + 1, or 0
    long long history[2][ROBOTS] = {};

    Search(const Game& game, int seat, std::size_t rows)
        : game(game),
          seat(seat),
          last(rows - 1),
          table(static_cast<Entry*>(std::calloc(rows, sizeof(Entry))), &std::free) {}

    Entry& row_of(const State& state, int depth) {
        Bits hash = mix(0, depth);
        hash = mix(mix(hash, state.light), state.mega);
        hash = mix(mix(hash, state.wily), state.gamma);
        hash = mix(mix(hash, state.light_champion), state.wily_champion);
        return table.get()[mix(mix(hash, state.weapons), state.seat) & last];
    }

    static bool holds(const Entry& entry, const State& state) {
        return entry.bound != NOTHING && equal(entry.state, state);
    }

    bool decides(const Entry& entry, int depth, double alpha, double beta) const {
        return entry.depth == depth && entry.search == number &&
               (entry.bound == EXACT || (entry.bound == AT_LEAST && entry.value >= beta) ||
                (entry.bound == AT_MOST && entry.value <= alpha));
    }

    void store(const State& state, int depth, Bound bound, int action, double value) {
        Entry& entry = row_of(state, depth);
        if (entry.search == number && entry.depth > depth) return;
        entry = {state,
                 value,
                 std::int16_t(action),
                 std::int16_t(depth),
                 std::int16_t(number),
                 std::int8_t(bound)};
    }

    // Return the next action: from the table, a killer, or the best by history.
    int next_action(int actions, int first, int ply, int mover, int depth) const {
        if (first != NO_ACTION && actions >> first & 1) return first;
        for (const int killer : killers[ply])
            if (killer && actions >> (killer - 1) & 1) return killer - 1;
        int best = __builtin_ctz(actions);
        if (depth > 1)
            for (int rest = actions & (actions - 1); rest; rest &= rest - 1) {
                const int action = __builtin_ctz(rest);
                if (history[mover][action] > history[mover][best]) best = action;
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

    double value(const State& state, int depth, double alpha, double beta, int ply) {
        ++nodes;
        if (is_over(state)) return game.result(state, seat);
        if (depth == 0) {
            estimated = true;
            return game.estimate(state, seat);
        }
        int first = NO_ACTION;
        if (depth > 1) {
            const Entry* entry = &row_of(state, depth);
            bool found = holds(*entry, state);
            if (!found && depth > 2) {
                entry = &row_of(state, depth - 1);
                found = holds(*entry, state);
            }
            if (found) {
                if (decides(*entry, depth, alpha, beta)) return entry->value;
                first = entry->action;
            }
        }
        const int mover = state.seat;
        const bool ours = mover == seat;
        double best = ours ? LOW - 1.0 : HIGH + 1.0, low = alpha, high = beta;
        int best_action = NO_ACTION;
        for (int actions = game.moves(state); actions && low < high;) {
            const int action = next_action(actions, first, ply, mover, depth);
            actions &= ~(1 << action);
            const double found = value(game.apply(state, action), depth - 1, low, high, ply + 1);
            if (ours ? found > best : found < best) best = found, best_action = action;
            if (ours)
                low = std::max(low, best);
            else
                high = std::min(high, best);
            if (low >= high) record_cutoff(action, ply, mover, depth);
        }
        if (depth > 1) {
            const Bound bound = best <= alpha ? AT_MOST : best >= beta ? AT_LEAST : EXACT;
            store(state, depth, bound, best_action, best);
        }
        return best;
    }
};

// Search one depth after the other, from an empty table; return the value of the best action.
double alphabeta(const Game& game, int depth, std::size_t rows, long long& nodes) {
    struct Choice {
        int action;
        double value;
    };
    const State start = game.start();
    Search search(game, start.seat, rows);
    std::vector<Choice> choices;
    for (int moves = game.moves(start); moves; moves &= moves - 1)
        choices.push_back({__builtin_ctz(moves), 0.0});
    double best = 0.0;
    for (int iteration = 1; iteration <= depth && (iteration == 1 || search.estimated);
         ++iteration) {
        ++search.number;
        search.estimated = false;
        std::vector<Choice*> tried;
        for (Choice& choice : choices) tried.push_back(&choice);
        std::stable_sort(tried.begin(), tried.end(), [](const Choice* one, const Choice* other) {
            return one->value > other->value;
        });
        best = LOW - 1.0;
        for (Choice* choice : tried) {
            const State after = game.apply(start, choice->action);
            const double low = best - 2 * CLOSE;
            choice->value = search.value(after, iteration - 1, low, HIGH + 1.0, 1);
            best = std::max(best, choice->value);
        }
    }
    nodes = search.nodes;
    return best;
}

}  // namespace

int main(int, char** arguments) {
    const Game game;
    const State start = game.start();
    const int depth = std::atoi(arguments[2]);
    long long nodes = 0;
    double value = 0.0;
    const Stopwatch watch;
    if (std::strcmp(arguments[1], "count") == 0)
        nodes = lines(game, start, depth);
    else if (std::strcmp(arguments[1], "minimax") == 0)
        value = minimax(game, start, start.seat, depth, nodes);
    else
        value = alphabeta(game, depth, std::atoll(arguments[3]), nodes);
    report_search(value, nodes, watch);
}
