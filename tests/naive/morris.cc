// Nine Men's Morris with n stones each, solved by brute force: no symmetry, no retrograde steps.
//
// Every board of the moving phase is looked at for every count of quiet turns, from the last one
// down, each from the results one count higher, until nothing changes any more. Then the placing
// phase, from the last stone to the first. A board's value is the count from which on it is a draw,
// with the sign of the result before that; for every number of stones on the board and in the
// hands the program prints how many boards have which value.
//
//     g++ -O3 -march=native -std=c++17 -pthread morris.cc -o brute && ./brute 3

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <thread>
#include <tuple>
#include <vector>

using Stones = uint32_t;
using Table = std::vector<int8_t>;
using Key = std::tuple<int, int, int>;  // stones of the mover, of the opponent, in both hands

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
    int size = 0;
    for (; stones; stones &= stones - 1)
        result += choose[bits(among & ((stones & -stones) - 1))][++size];
    return result;
}

Stones unrank(long long number, int size, Stones among) {
    Stones result = 0;
    for (int field = 23, place = bits(among); size; field--)
        if (among >> field & 1 && choose[--place][size] <= number) {
            number -= choose[place][size--];
            result |= 1u << field;
        }
    return result;
}

const Stones ALL = 0xFFFFFF;

long long number_of(Stones own, Stones other) {
    return rank(own, ALL) * choose[24 - bits(own)][bits(other)] + rank(other, ALL & ~own);
}

std::map<Key, Table> values;

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
        int value = values.at({bits(other), bits(own), hands})[number_of(other, own)];
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

void in_parallel(long long size, const std::function<void(long long)> &work) {
    std::atomic<long long> next(0);
    std::vector<std::thread> threads;
    for (unsigned n = 0; n < std::max(1u, std::thread::hardware_concurrency()); n++)
        threads.emplace_back([&] {
            for (long long first; (first = next.fetch_add(4096)) < size;)
                for (long long board = first; board < std::min(size, first + 4096); board++) work(board);
        });
    for (std::thread &thread : threads) thread.join();
}

long long size_of(int mover, int other) { return choose[24][mover] * choose[24 - mover][other]; }

template <class Work>
void each_board(int mover, int other, Work work) {
    in_parallel(size_of(mover, other), [&](long long board) {
        Stones own = unrank(board / choose[24 - mover][other], mover, ALL);
        work(board, own, unrank(board % choose[24 - mover][other], other, ALL & ~own));
    });
}

// The result of a board at a count, from those of the mirror sector one count higher.
int result(Stones own, Stones other, const Table *higher) {
    int best = -1;
    each_turn(own, other, false, [&](Stones moved, int mills) {
        int found = mills ? -after_captures(moved, other, mills, 0)
            : higher ? -(*higher)[number_of(other, moved)] : 0;
        best = std::max(best, found);
        return best == 1;
    });
    return best;
}

// Both sectors with these numbers of stones, count by count.
void move(int mover, int other) {
    Key keys[2] = {{mover, other, 0}, {other, mover, 0}};
    Table now[2], higher[2];
    for (int side = 0; side < 2; side++) {
        values[keys[side]] = Table(size_of(mover, other), 0);
        now[side] = Table(size_of(mover, other), 0);
    }
    for (int count = QUIET - 1; count >= 0; count--) {
        higher[0] = now[0];
        higher[1] = now[1];
        std::atomic<bool> changed(false);
        for (int side = 0; side < 2; side++) {
            auto [own_stones, other_stones, hands] = keys[side];
            const Table *after = count == QUIET - 1 ? nullptr : &higher[1 - side];
            Table &here = now[side], &value = values[keys[side]];
            each_board(own_stones, other_stones, [&](long long board, Stones own, Stones opponent) {
                if (here[board]) return;  // who wins at a count wins at every lower one
                here[board] = result(own, opponent, after);
                value[board] = here[board] * (count + 1);
                if (here[board]) changed = true;
            });
        }
        if (!changed) break;
    }
}

// A board where the mover has a stone to place: the best of all turns for each count.
int placed(Stones own, Stones other, int hands) {
    int best = -QUIET;
    each_turn(own, other, true, [&](Stones stones, int mills) {
        int captures = std::min(mills, bits(other)), found;
        if (captures) {
            found = -QUIET * after_captures(stones, other, captures, hands - 1);
        } else {
            int next = values.at({bits(other), bits(own) + 1, hands - 1})[number_of(other, stones)];
            found = next > 0 ? 1 - next : next < 0 ? -1 - next : 0;
        }
        best = std::max(best, found);
        return false;
    });
    return best;
}

void place(int mover, int other, int hands) {
    Table &table = values[{mover, other, hands}];
    table = Table(size_of(mover, other), 0);
    each_board(mover, other, [&](long long board, Stones own, Stones opponent) {
        table[board] = placed(own, opponent, hands);
    });
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
    for (auto &[key, table] : values) {
        auto [mover, other, hands] = key;
        std::map<int, long long> found;
        for (int8_t value : table) found[value]++;
        printf("%d %d %d", mover, other, hands);
        for (auto [value, boards] : found) printf(" %d:%lld", value, boards);
        printf("\n");
    }
}
