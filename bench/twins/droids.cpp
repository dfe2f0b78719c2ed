// R2-D2 Battle with its default board and starts, solved exactly: droids SHOTS ROUNDS.
//
// A state is numbered by the shots of both, the lead in points, and both cells. Values are kept for
// every number of rounds left, and each layer follows from the one before it.

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "report.hpp"

namespace {

constexpr int SIDE = 4, CELLS = SIDE * SIDE, PAIRS = CELLS * CELLS, ACTIONS = 5, SHOOT = 4;
constexpr int FIRST = 2 * SIDE, SECOND = 2 * SIDE + 3;  // where the droids start

// A matrix game of at most five rows and columns; the row player maximises. ----------------------

struct Matrix {
    int rows = 0, columns = 0;
    double at[ACTIONS][ACTIONS];
};

// Whether some entry is least in its row and most in its column; if so, `value` is it.
bool has_saddle(const Matrix& game, double& value) {
    double most[ACTIONS];
    std::fill(most, most + game.columns, -2.0);
    double best = -2.0;
    for (int i = 0; i < game.rows; ++i) {
        double worst = 2.0;
        for (int j = 0; j < game.columns; ++j) {
            worst = std::min(worst, game.at[i][j]);
            most[j] = std::max(most[j], game.at[i][j]);
        }
        best = std::max(best, worst);
    }
    value = best;
    return best == *std::min_element(most, most + game.columns);
}

// The simplex method in a condensed tableau: the largest sum of the column player's weights that
// pays at most 1 in every row of the matrix, scaled to 1..2.
double mixed_value(const Matrix& game) {
    constexpr double GAIN = 1e-12, TINY = 1e-11;
    const int rows = game.rows, columns = game.columns;
    double low = game.at[0][0], high = low;
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            low = std::min(low, game.at[i][j]);
            high = std::max(high, game.at[i][j]);
        }
    const double span = high - low;
    double tableau[ACTIONS + 1][ACTIONS + 1];
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; ++j) tableau[i][j] = 1.0 + (game.at[i][j] - low) / span;
        tableau[i][columns] = 1.0;
    }
    std::fill(tableau[rows], tableau[rows] + columns, 1.0);
    tableau[rows][columns] = 0.0;
    for (int pivots = 0; pivots < 100; ++pivots) {
        const double* gains = tableau[rows];
        const int column = std::max_element(gains, gains + columns) - gains;
        if (gains[column] <= GAIN) break;
        int row = -1;
        for (int i = 0; i < rows; ++i)
            if (tableau[i][column] > TINY &&
                (row < 0 || tableau[i][columns] * tableau[row][column] <
                                tableau[row][columns] * tableau[i][column]))
                row = i;
        const double inverse = 1.0 / tableau[row][column];
        for (int j = 0; j <= columns; ++j) tableau[row][j] *= inverse;
        for (int i = 0; i <= rows; ++i) {
            if (i == row) continue;
            const double factor = tableau[i][column];
            for (int j = 0; j <= columns; ++j) tableau[i][j] -= factor * tableau[row][j];
            tableau[i][column] = -factor * inverse;
        }
        tableau[row][column] = inverse;
    }
    return low + span * (-1.0 / tableau[rows][columns] - 1.0);
}

double value_of(const Matrix& game) {
    double value;
    return has_saddle(game, value) ? value : mixed_value(game);
}

// The rules. --------------------------------------------------------------------------------------

bool can_step(int cell, int action) {
    switch (action) {
        case 0: return cell >= SIDE;
        case 1: return cell < CELLS - SIDE;
        case 2: return cell % SIDE > 0;
        case 3: return cell % SIDE < SIDE - 1;
    }
    return false;
}

int aim(int cell, int action) {
    constexpr int STEPS[ACTIONS] = {-SIDE, SIDE, -1, 1, 0};
    return cell + STEPS[action];
}

// What a pair of actions leads to in a pair of cells.
struct Step {
    unsigned char pair;
    bool hit;  // whether one shot would hit
};

struct Board {
    int actions[CELLS][ACTIONS], steps[CELLS];  // the steps of a cell, then the shot
    Step after[PAIRS][ACTIONS][ACTIONS];        // by the places of the actions in these lists

    Board() {
        for (int cell = 0; cell < CELLS; ++cell) {
            steps[cell] = 0;
            for (int action = 0; action < SHOOT; ++action)
                if (can_step(cell, action)) actions[cell][steps[cell]++] = action;
            actions[cell][steps[cell]] = SHOOT;
        }
        for (int pair = 0; pair < PAIRS; ++pair)
            for (int i = 0; i <= steps[pair / CELLS]; ++i)
                for (int j = 0; j <= steps[pair % CELLS]; ++j)
                    after[pair][i][j] = step(pair / CELLS, pair % CELLS, i, j);
    }

    Step step(int one, int other, int i, int j) const {
        int cell1 = aim(one, actions[one][i]), cell2 = aim(other, actions[other][j]);
        if (cell1 == cell2 || (cell1 == other && cell2 == one)) cell1 = one, cell2 = other;
        const bool in_line = cell1 / SIDE == cell2 / SIDE || cell1 % SIDE == cell2 % SIDE;
        return {static_cast<unsigned char>(cell1 * CELLS + cell2), in_line};
    }
};

// The values. -------------------------------------------------------------------------------------

class Solution {
    const int shots, rounds;
    const Board board;
    std::vector<int> starts;  // of the leads of each pair of shots, in blocks of all pairs of cells
    int blocks = 0;           // in a layer
    std::vector<double> values;

  public:
    long long states = 0;

    Solution(int shots, int rounds) : shots(shots), rounds(rounds) {
        for (int shots1 = 0; shots1 <= shots; ++shots1)
            for (int shots2 = 0; shots2 <= shots; ++shots2) {
                // The least lead is that of the second droid, with all of its shots hits.
                starts.push_back(blocks + shots - shots2);
                blocks += 2 * shots - shots1 - shots2 + 1;
            }
        values.resize(std::size_t(rounds + 1) * blocks * PAIRS);
        for (int left = 0; left <= rounds; ++left)
            for (int shots1 = 0; shots1 <= shots; ++shots1)
                for (int shots2 = 0; shots2 <= shots; ++shots2)
                    for (int lead = shots2 - shots; lead <= shots - shots1; ++lead)
                        solve(left, shots1, shots2, lead);
    }

    double value(int left, int shots1, int shots2, int lead, int pair) const {
        return values[place(left, shots1, shots2, lead) + pair];
    }

    // Print the values after every pair of actions in the first state.
    void print_successors() const {
        const int pair = FIRST * CELLS + SECOND;
        const char* comma = "";
        for (int i = 0; i <= board.steps[FIRST]; ++i)
            for (int j = 0; j <= board.steps[SECOND]; ++j) {
                const Step step = board.after[pair][i][j];
                const int shot1 = i == board.steps[FIRST], shot2 = j == board.steps[SECOND];
                std::printf("%s%.17g", comma,
                            value(rounds - 1, shots - shot1, shots - shot2,
                                  step.hit * (shot1 - shot2), step.pair));
                comma = ", ";
            }
    }

  private:
    std::size_t place(int left, int shots1, int shots2, int lead) const {
        return (std::size_t(left) * blocks + starts[shots1 * (shots + 1) + shots2] + lead) * PAIRS;
    }

    // Solve all pairs of cells with these shots, lead and rounds left.
    void solve(int left, int shots1, int shots2, int lead) {
        double* block = &values[place(left, shots1, shots2, lead)];
        states += PAIRS - CELLS;
        // Nobody catches up with fewer shots, or in fewer rounds, than it is behind.
        const bool over = left == 0 || shots1 + shots2 == 0;
        if (over || lead > std::min(left, shots2) || -lead > std::min(left, shots1)) {
            std::fill(block, block + PAIRS, lead > 0 ? 1.0 : lead < 0 ? -1.0 : 0.0);
            return;
        }
        const double* stepped = &values[place(left - 1, shots1, shots2, lead)];
        const double *shot1[2] = {}, *shot2[2] = {}, *both = nullptr;
        for (const int hit : {0, 1}) {
            if (shots1) shot1[hit] = &values[place(left - 1, shots1 - 1, shots2, lead + hit)];
            if (shots2) shot2[hit] = &values[place(left - 1, shots1, shots2 - 1, lead - hit)];
        }
        if (shots1 && shots2) both = &values[place(left - 1, shots1 - 1, shots2 - 1, lead)];
        for (int pair = 0; pair < PAIRS; ++pair) {
            if (pair / CELLS == pair % CELLS) continue;
            const auto& after = board.after[pair];
            const int rows = board.steps[pair / CELLS], columns = board.steps[pair % CELLS];
            Matrix game;
            game.rows = rows + (shots1 > 0), game.columns = columns + (shots2 > 0);
            for (int i = 0; i < rows; ++i) {
                for (int j = 0; j < columns; ++j) game.at[i][j] = stepped[after[i][j].pair];
                const Step shot = after[i][columns];
                if (shots2) game.at[i][columns] = shot2[shot.hit][shot.pair];
            }
            if (shots1)
                for (int j = 0; j < columns; ++j)
                    game.at[rows][j] = shot1[after[rows][j].hit][after[rows][j].pair];
            if (both) game.at[rows][columns] = both[pair];
            block[pair] = value_of(game);
        }
    }
};

}  // namespace

int main(int, char** arguments) {
    const int shots = std::atoi(arguments[1]), rounds = std::atoi(arguments[2]);
    const Stopwatch watch;
    const Solution solution(shots, rounds);
    const double value = solution.value(rounds, shots, shots, 0, FIRST * CELLS + SECOND);
    report_solution(value, solution.states, 1, watch);
    std::printf(", \"successors\": [");
    solution.print_successors();
    std::printf("]}\n");
}
