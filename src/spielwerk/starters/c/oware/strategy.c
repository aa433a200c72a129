/* Where you come in. (MIT licence) */
#include "strategy.h"

#include <stdlib.h>
#include <string.h>

const char author[] = "Your Name";
const char *const strategies[STRATEGIES] = {"Greedy", "Random"};

/* How many stones a move takes. */
static int gain(const struct game *game, int house)
{
    int after[BOARD];
    memcpy(after, game->board, sizeof after);
    make_move(after, game->player, house);
    return after[game->player] - game->board[game->player];
}

/* One of the legal moves; depth is how many moves the client wants you to look ahead.
 *
 * Try: look ahead with minimax to the depth that is asked for, then with alpha-beta, and count
 * more than the stones that were taken.
 */
int choose(const struct game *game, int strategy, int depth)
{
    int moves[HOUSES], count = legal_moves(game->board, game->player, moves);
    if (strategy == 1)
        return moves[rand() % count];
    (void)depth; /* Greedy looks one move ahead, whatever is asked for */
    int best = moves[0];
    for (int one = 1; one < count; one++)
        if (gain(game, moves[one]) > gain(game, best))
            best = moves[one];
    return best;
}
