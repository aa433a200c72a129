// The kernels of `retrograde` for CUDA devices: the same bytes for the same sectors.
//
// The numbers of the board (TURNED, CHOOSE, NEAR, PAIRS, CLASS_STARTS), the marks and the TILE, the
// boards that a block scans at a time, are written in front of this file by `gpu`. A board is found
// by its number, the classes' sets and the places of the opponent's stones; see `index`.

typedef signed char Value;
typedef unsigned int Fields;
typedef unsigned int Number;

const Fields FULL = 0xFFFFFF;

struct Shared {
    unsigned char turned[8 * 256];
    int choose[25 * 10];
    Fields near[24];
    Fields pairs[48];
};

__device__ void prepare(Shared &shared) {
    for (int i = threadIdx.x; i < 8 * 256; i += blockDim.x) shared.turned[i] = TURNED[i];
    for (int i = threadIdx.x; i < 25 * 10; i += blockDim.x) shared.choose[i] = CHOOSE[i];
    for (int i = threadIdx.x; i < 24; i += blockDim.x) shared.near[i] = NEAR[i];
    for (int i = threadIdx.x; i < 48; i += blockDim.x) shared.pairs[i] = PAIRS[i];
    __syncthreads();
}

__device__ Fields transformed(const Shared &shared, Fields fields, int symmetry) {
    const unsigned char *turned = shared.turned + 256 * (symmetry & 7);
    Fields outer = turned[fields & 255];
    Fields middle = turned[fields >> 8 & 255];
    Fields inner = turned[fields >> 16];
    return symmetry < 8 ? outer | middle << 8 | inner << 16 : inner | middle << 8 | outer << 16;
}

// The rank of a set among all sets of as many of the free fields.
__device__ Number rank(const Shared &shared, Fields fields, Fields free) {
    Number result = 0;
    for (int n = 1; fields; n++) {
        Fields field = fields & -fields;
        fields ^= field;
        result += shared.choose[10 * __popc(free & (field - 1)) + n];
    }
    return result;
}

__device__ Number board_number(
    const Shared &shared, Fields mover, Fields opponent, const int *of_rank
) {
    int movers = __popc(mover);
    int found = of_rank[CLASS_STARTS[movers] + rank(shared, mover, FULL)];
    Fields free = FULL & ~transformed(shared, mover, found & 15);
    Number start = (found >> 4) * shared.choose[10 * (24 - movers) + __popc(opponent)];
    return start + rank(shared, transformed(shared, opponent, found & 15), free);
}

__device__ Fields scattered(Fields fields, Fields among) {
    Fields result = 0;
    for (; fields; fields >>= 1) {
        Fields place = among & -among;
        if (fields & 1) result |= place;
        among ^= place;
    }
    return result;
}

__device__ int closes(const Shared &shared, Fields own, int field) {
    Fields one = shared.pairs[2 * field], other = shared.pairs[2 * field + 1];
    return ((own & one) == one) + ((own & other) == other);
}

__device__ Fields targets(const Shared &shared, Fields own, int field, Fields free) {
    return __popc(own) <= 3 ? free : shared.near[field] & free;
}

__device__ int lowest(Fields fields) { return __ffs(fields) - 1; }

__device__ int sign(Value value) { return (value > 0) - (value < 0); }

// The worst for the opponent that the captures can bring: -1 lost, 0 drawn, 1 won.
__device__ int capture_value(
    const Shared &shared, Fields own, Fields opponent, int captures, int fewest,
    const Value *one_less, const Value *two_less, const int *of_rank
) {
    if (__popc(opponent) - captures < fewest) return -1;
    int worst = 1;
    for (Fields left = opponent; left && worst >= 0; left &= left - 1) {
        Fields rest = opponent ^ (left & -left);
        if (captures == 1) {
            worst = min(worst, sign(one_less[board_number(shared, rest, own, of_rank)]));
            continue;
        }
        for (Fields more = left & (left - 1); more; more &= more - 1) {
            Fields both = rest ^ (more & -more);
            worst = min(worst, sign(two_less[board_number(shared, both, own, of_rank)]));
        }
    }
    return worst;
}

__device__ int quiet_value(int value) { return value > 0 ? 1 - value : value < 0 ? -1 - value : 0; }

#define EVERY_BOARD(board, size)                                                          \
    for (Number board = blockIdx.x * blockDim.x + threadIdx.x; board < size;              \
         board += gridDim.x * blockDim.x)

extern "C" __global__ void begin(
    Number size, Value *values, const int *sets, const int *places, Number width, int fewest,
    const Value *one_less, const Value *two_less, const int *of_rank
) {
    __shared__ Shared shared;
    prepare(shared);
    EVERY_BOARD(board, size) {
        Fields own = sets[board / width];
        Fields opponent = scattered(places[board % width], FULL & ~own);
        Fields free = FULL & ~(own | opponent);
        bool quiet = false, safe = false, won = false;
        for (Fields stones = own; stones && !won; stones &= stones - 1) {
            Fields stone = stones & -stones;
            Fields goals = targets(shared, own, lowest(stone), free);
            for (; goals && !won; goals &= goals - 1) {
                Fields goal = goals & -goals;
                int captures = closes(shared, own ^ stone, lowest(goal));
                if (!captures) {
                    quiet = true;
                    continue;
                }
                int value = capture_value(
                    shared, own ^ stone ^ goal, opponent, captures, fewest, one_less, two_less,
                    of_rank);
                won = value < 0;
                safe |= value == 0;
            }
        }
        values[board] = won ? SURE : safe ? SAFE : quiet ? 0 : -SURE;
    }
}

// Collect the boards of a tile that have the wanted value; how many there are.
__device__ int collect(const Value *values, Number start, Value wanted, Number *found, int *size) {
    __syncthreads();
    if (threadIdx.x == 0) *size = 0;
    __syncthreads();
    uint4 bytes = ((const uint4 *)(values + start))[threadIdx.x];
    unsigned words[4] = {bytes.x, bytes.y, bytes.z, bytes.w};
    unsigned pattern = 0x01010101u * (unsigned char)wanted;
    for (int n = 0; n < 4; n++) {
        unsigned same = __vcmpeq4(words[n], pattern) & 0x01010101u;
        for (; same; same &= same - 1)
            found[atomicAdd(size, 1)] = start + 16 * threadIdx.x + 4 * n + (__ffs(same) - 1) / 8;
    }
    __syncthreads();
    return *size;
}

__device__ void mark_board(
    const Shared &shared, Fields own, Fields opponent, Value mark, Value *values,
    const int *of_rank, const int *stabilisers
) {
    int owns = __popc(own);
    int found = of_rank[CLASS_STARTS[owns] + rank(shared, own, FULL)];
    Fields free = FULL & ~transformed(shared, own, found & 15);
    Fields turned = transformed(shared, opponent, found & 15);
    Number start = (found >> 4) * shared.choose[10 * (24 - owns) + __popc(opponent)];
    int symmetries = stabilisers[found >> 4];
    for (; symmetries; symmetries &= symmetries - 1) {
        int symmetry = lowest(symmetries);
        Number number = start + rank(shared, transformed(shared, turned, symmetry), free);
        Value old = values[number];
        if (old == 0 || (mark != TOUCHED && old <= SAFE)) values[number] = mark;
    }
}

extern "C" __global__ void reach_back(
    Number tiles, const Value *values, const int *sets, const int *places, Number width,
    int wanted, int mark, Value *before, const int *of_rank, const int *stabilisers,
    unsigned long long *total
) {
    __shared__ Shared shared;
    __shared__ Number found[TILE];
    __shared__ int size;
    prepare(shared);
    for (Number tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        int many = collect(values, tile * TILE, wanted, found, &size);
        if (threadIdx.x == 0 && many) atomicAdd(total, many);
        for (int n = threadIdx.x; n < many; n += blockDim.x) {
            Fields own = sets[found[n] / width];
            Fields opponent = scattered(places[found[n] % width], FULL & ~own);
            Fields free = FULL & ~(own | opponent);
            for (Fields stones = opponent; stones; stones &= stones - 1) {
                Fields stone = stones & -stones;
                if (closes(shared, opponent, lowest(stone))) continue;
                Fields origins = targets(shared, opponent, lowest(stone), free);
                for (; origins; origins &= origins - 1) {
                    Fields earlier = opponent ^ stone ^ (origins & -origins);
                    mark_board(shared, earlier, own, mark, before, of_rank, stabilisers);
                }
            }
        }
    }
}

extern "C" __global__ void settle_losses(
    Number tiles, Value *values, const int *sets, const int *places, Number width, int least,
    const Value *after, const int *of_rank
) {
    __shared__ Shared shared;
    __shared__ Number found[TILE];
    __shared__ int size;
    prepare(shared);
    for (Number tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        int many = collect(values, tile * TILE, TOUCHED, found, &size);
        for (int n = threadIdx.x; n < many; n += blockDim.x) {
            Fields own = sets[found[n] / width];
            Fields opponent = scattered(places[found[n] % width], FULL & ~own);
            Fields free = FULL & ~(own | opponent);
            bool lost = true;
            for (Fields stones = own; stones && lost; stones &= stones - 1) {
                Fields stone = stones & -stones;
                Fields goals = targets(shared, own, lowest(stone), free);
                for (; goals && lost; goals &= goals - 1) {
                    Fields moved = own ^ stone ^ (goals & -goals);
                    if (closes(shared, own ^ stone, lowest(goals))) continue;
                    lost = after[board_number(shared, opponent, moved, of_rank)] >= least;
                }
            }
            values[found[n]] = lost ? 1 - least : 0;
        }
    }
}

// What is left of the marks means that the board is drawn.
extern "C" __global__ void clear_marks(Number size, Value *values) {
    EVERY_BOARD(board, size) if (values[board] <= SAFE) values[board] = 0;
}

// The best of all turns: `place` in the placing phase, and in the moving phase a check of the rest.
__device__ int best_turn(
    const Shared &shared, Fields own, Fields opponent, int placing, int fewest,
    const Value *after, const Value *one_less, const Value *two_less, const int *of_rank
) {
    Fields free = FULL & ~(own | opponent);
    int opponents = __popc(opponent), best = -SURE;
    for (Fields stones = placing ? 1 : own; stones && best < SURE; stones &= stones - 1) {
        Fields rest = placing ? own : own & ~(stones & -stones);
        Fields goals = placing ? free : targets(shared, own, lowest(stones), free);
        for (; goals && best < SURE; goals &= goals - 1) {
            Fields moved = rest | (goals & -goals);
            int captures = min(closes(shared, rest, lowest(goals)), opponents);
            int value = captures
                ? -SURE * capture_value(
                    shared, moved, opponent, captures, fewest, one_less, two_less, of_rank)
                : quiet_value(after[board_number(shared, opponent, moved, of_rank)]);
            best = max(best, value);
        }
    }
    return best;
}

extern "C" __global__ void place(
    Number size, Value *values, const int *sets, const int *places, Number width, int fewest,
    const Value *after, const Value *one_less, const Value *two_less, const int *of_rank
) {
    __shared__ Shared shared;
    prepare(shared);
    EVERY_BOARD(board, size) {
        Fields own = sets[board / width];
        Fields opponent = scattered(places[board % width], FULL & ~own);
        values[board] = best_turn(
            shared, own, opponent, 1, fewest, after, one_less, two_less, of_rank);
    }
}

// Count the boards of a sector that are not worth what their turns say.
extern "C" __global__ void check(
    Number size, const Value *values, const int *sets, const int *places, Number width,
    int placing, int fewest, const Value *after, const Value *one_less, const Value *two_less,
    const int *of_rank, unsigned long long *wrong
) {
    __shared__ Shared shared;
    prepare(shared);
    EVERY_BOARD(board, size) {
        Fields own = sets[board / width];
        Fields opponent = scattered(places[board % width], FULL & ~own);
        int best = best_turn(
            shared, own, opponent, placing, fewest, after, one_less, two_less, of_rank);
        if (values[board] != best) atomicAdd(wrong, 1);
    }
}

// Add up wins and losses, every board as often as there are boards that are symmetric to it.
extern "C" __global__ void tally(
    Number size, const Value *values, const int *sizes, Number width, unsigned long long *counts
) {
    unsigned long long wins = 0, losses = 0;
    EVERY_BOARD(board, size) {
        int weight = sizes[board / width];
        if (values[board] > 0) wins += weight;
        if (values[board] < 0) losses += weight;
    }
    for (int step = 16; step; step /= 2) {
        wins += __shfl_down_sync(~0u, wins, step);
        losses += __shfl_down_sync(~0u, losses, step);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(counts, wins);
        atomicAdd(counts + 1, losses);
    }
}
