// Nine Men's Morris with n stones each, solved by brute force: no symmetry, no retrograde steps.
//
// Every board of the moving phase is looked at for every count of quiet turns, from the last one
// down, each from the results one count higher, until nothing changes any more. Then the placing
// phase, from the last stone to the first. A board's value is the count from which on it is a draw,
// with the sign of the result before that; for every number of stones on the board and in the
// hands the program prints how many boards have which value.
//
// The boards that a player's quiet turns lead to lie beside each other: a row of the table holds
// all boards with the same stones of the mover. So the boards are visited by the opponent's stones,
// and a row that has not changed since the last count need not be asked again. What a capture leads
// to does not depend on the count and is asked once.
//
//     g++ -O3 -march=native -std=c++17 -pthread morris.cc -o brute && ./brute 3

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <thread>
#include <utility>
#include <vector>

using Stones = uint32_t;
using Table = std::vector<int8_t>;

const int QUIET = 50;

// The board as a drawing of seven lines and seven columns, the fields numbered as they are read.
const char *DRAWING[7] = {"x  x  x", " x x x ", "  xxx  ", "xxx xxx", "  xxx  ", " x x x ", "x  x  x"};

std::vector<Stones> mills_of[24];
std::vector<Stones> neighbours(24, 0);
long long choose[25][25];

// Two fields are neighbours, and three a mill, if a line joins them: outer, middle and inner square
// have their corners on the diagonals; in the middle line and column the centre separates.
void draw() {
    int field[7][7], next = 0;
    for (int row = 0; row < 7; row++)
        for (int column = 0; column < 7; column++)
            field[row][column] = DRAWING[row][column] == 'x' ? next++ : -1;
    auto join = [](const std::vector<int> &line) {
        for (int f : line) mills_of[f].push_back(1u << line[0] | 1u << line[1] | 1u << line[2]);
        for (int n = 0; n < 2; n++) {
            neighbours[line[n]] |= 1u << line[n + 1];
            neighbours[line[n + 1]] |= 1u << line[n];
        }
    };
    for (int turned = 0; turned < 2; turned++)
        for (int row = 0; row < 7; row++) {
            std::vector<int> line;
            for (int column = 0; column < 7; column++) {
                int found = turned ? field[column][row] : field[row][column];
                if (found >= 0) line.push_back(found);
                if (line.size() == 3) {
                    join(line);
                    line.clear();
                }
            }
        }
}

int bits(Stones stones) { return __builtin_popcount(stones); }

long long rank(Stones stones, Stones among) {
    long long result = 0;
    for (int size = 1; stones; stones &= stones - 1, size++)
        result += choose[bits(among & ((stones & -stones) - 1))][size];
    return result;
}

const Stones ALL = 0xFFFFFF;

// The sets of so many fields among these, one after the other as `rank` numbers them.
template <class Work>
void each_set(int size, Stones among, Work work) {
    Stones low = (1u << size) - 1;
    for (Stones packed = low, end = 1u << bits(among); packed < end;) {
        Stones spread = 0, fields = among;
        for (Stones left = packed; left; left >>= 1, fields &= fields - 1)
            if (left & 1) spread |= fields & -fields;
        work(spread);
        if (!packed) return;
        Stones lowest = packed & -packed, carried = packed + lowest;
        packed = carried | (packed ^ carried) / lowest >> 2;
    }
}

long long row_size(int mover, int other) { return choose[24 - mover][other]; }

long long row_of(Stones own, int other) { return rank(own, ALL) * row_size(bits(own), other); }

long long number_of(Stones own, Stones other) {
    return row_of(own, bits(other)) + rank(other, ALL & ~own);
}

Table values[10][10][19];  // by stones of the mover, of the opponent, in both hands

int closed(Stones own, int field) {
    int result = 0;
    for (Stones mill : mills_of[field]) result += (own & mill) == mill;
    return result;
}

// The opponent's result if these stones are captured as it is worst for them; `hands` is what both
// have in hand when the opponent is to move. Too few stones end the game at once.
int after_captures(Stones own, Stones other, int captures, int hands) {
    if (bits(other) + (hands + 1) / 2 < 3) return -1;
    if (!captures) {
        int value = values[bits(other)][bits(own)][hands][number_of(other, own)];
        return (value > 0) - (value < 0);
    }
    int worst = 1;
    for (Stones left = other; left && worst > -1; left &= left - 1) {
        int found = after_captures(own, other ^ (left & -left), captures - 1, hands);
        worst = std::min(worst, found);
    }
    return worst;
}

// Call `turn(stones after it, mills closed)` for every turn until it returns true.
template <class Turn>
void each_turn(Stones own, Stones other, bool placing, Turn turn) {
    Stones free = ALL & ~(own | other);
    for (int from = 0; from < 24; from++) {
        if (!placing && !(own >> from & 1)) continue;
        Stones rest = placing ? own : own ^ 1u << from;
        Stones goals = placing || bits(own) == 3 ? free : neighbours[from] & free;
        for (; goals; goals &= goals - 1) {
            Stones moved = rest | (goals & -goals);
            if (turn(moved, closed(moved, __builtin_ctz(goals)))) return;
        }
        if (placing) return;
    }
}

// Call `work(own, other)` for every board, those with the same stones of the opponent in one go,
// unless `skip(the opponent's stones)`.
template <class Skip, class Work>
void each_board(int mover, int other, Skip skip, Work work) {
    std::vector<Stones> rows;
    each_set(other, ALL, [&](Stones stones) { rows.push_back(stones); });
    std::atomic<size_t> next(0);
    std::vector<std::thread> threads;
    for (unsigned n = 0; n < std::max(1u, std::thread::hardware_concurrency()); n++)
        threads.emplace_back([&] {
            for (size_t row; (row = next++) < rows.size();)
                if (!skip(rows[row]))
                    each_set(mover, ALL & ~rows[row], [&](Stones own) { work(own, rows[row]); });
        });
    for (std::thread &thread : threads) thread.join();
}

Table empty_table(int mover, int other) {
    return Table(choose[24][mover] * row_size(mover, other), 0);
}

// The best result of the turns that capture; -1 if there is none.
int best_capture(Stones own, Stones other) {
    int best = -1;
    each_turn(own, other, false, [&](Stones moved, int mills) {
        if (mills) best = std::max(best, -after_captures(moved, other, mills, 0));
        return best == 1;
    });
    return best;
}

// The best result of all turns at a count, with the mirror sector's values of higher counts alone.
int result(Stones own, Stones other, int best, int count, const int8_t *row) {
    each_turn(own, other, false, [&](Stones moved, int mills) {
        if (mills || best == 1) return best == 1;
        int value = row[rank(moved, ALL & ~other)];
        best = std::max(best, value <= -count - 2 ? 1 : value >= count + 2 ? -1 : 0);
        return false;
    });
    return best;
}

// A sector with its mirror image, and which rows (by the mover's stones) change at a count.
struct Side {
    int mover, other;
    Table &table, captures;
    std::vector<uint8_t> changed, changing;
};

// Both sectors with these numbers of stones, count by count.
void move(int mover, int other) {
    std::vector<Side> sides;
    for (auto [own, its] : std::set<std::pair<int, int>>{{mover, other}, {other, mover}}) {
        Table &table = values[own][its][0] = empty_table(own, its);
        std::vector<uint8_t> rows(choose[24][own], 1);
        sides.push_back({own, its, table, table, rows, rows});
    }
    for (Side &side : sides)
        each_board(side.mover, side.other, [](Stones) { return false; },
            [&](Stones own, Stones opponent) {
                side.captures[number_of(own, opponent)] = best_capture(own, opponent);
            });
    for (int count = QUIET - 1; count >= 0; count--) {
        std::atomic<bool> any(false);
        for (Side &side : sides) side.changing.assign(side.changing.size(), 0);
        for (Side &side : sides) {
            Side &mirror = &side == &sides[0] ? sides.back() : sides[0];
            auto same = [&](Stones opponent) { return !mirror.changed[rank(opponent, ALL)]; };
            each_board(side.mover, side.other, same, [&](Stones own, Stones opponent) {
                long long board = number_of(own, opponent);
                if (side.table[board]) return;  // who wins at a count wins at every lower one
                const int8_t *row = &mirror.table[row_of(opponent, side.mover)];
                int found = result(own, opponent, side.captures[board], count, row);
                if (!found) return;
                side.table[board] = found * (count + 1);
                side.changing[rank(own, ALL)] = any = true;
            });
        }
        if (!any) break;
        for (Side &side : sides) side.changed.swap(side.changing);
    }
}

// A board where the mover has a stone to place: the best of all turns for each count.
int placed(Stones own, Stones other, int hands) {
    int best = -QUIET;
    const Table &after = values[bits(other)][bits(own) + 1][hands - 1];
    each_turn(own, other, true, [&](Stones stones, int mills) {
        int captures = std::min(mills, bits(other)), found;
        if (captures) {
            found = -QUIET * after_captures(stones, other, captures, hands - 1);
        } else {
            int next = after[number_of(other, stones)];
            found = next > 0 ? 1 - next : next < 0 ? -1 - next : 0;
        }
        best = std::max(best, found);
        return false;
    });
    return best;
}

void place(int mover, int other, int hands) {
    Table &table = values[mover][other][hands] = empty_table(mover, other);
    each_board(mover, other, [](Stones) { return false; }, [&](Stones own, Stones opponent) {
        table[number_of(own, opponent)] = placed(own, opponent, hands);
    });
}

void print(int mover, int other, int hands) {
    std::map<int, long long> found;
    for (int8_t value : values[mover][other][hands]) found[value]++;
    if (found.empty()) return;
    printf("%d %d %d", mover, other, hands);
    for (auto [value, boards] : found) printf(" %d:%lld", value, boards);
    printf("\n");
}

int main(int, char **arguments) {
    int stones = atoi(arguments[1]);
    for (int n = 0; n < 25; n++)
        for (int k = 0; k < 25; k++)
            choose[n][k] = !k ? 1 : !n ? 0 : choose[n - 1][k - 1] + choose[n - 1][k];
    draw();
    for (int sum = 6; sum <= 2 * stones; sum++)
        for (int mover = 3; mover <= sum - mover; mover++)
            if (sum - mover <= stones) move(mover, sum - mover);
    for (int hands = 1; hands <= 2 * stones; hands++) {
        int mine = (hands + 1) / 2, theirs = hands / 2;
        for (int mover = std::max(0, 3 - mine); mover <= stones - mine; mover++)
            for (int other = std::max(0, 3 - theirs); other <= stones - theirs; other++)
                place(mover, other, hands);
    }
    for (int mover = 0; mover <= stones; mover++)
        for (int other = 0; other <= stones; other++)
            for (int hands = 0; hands <= 2 * stones; hands++) print(mover, other, hands);
}
