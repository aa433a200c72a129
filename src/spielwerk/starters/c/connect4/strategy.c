/* Where you come in. (MIT licence) */
#include "strategy.h"

#include <stdlib.h>

/* The field for our next stone.
 *
 * board_legal() knows whether a stone can be put on a field, board_result() whether a board is
 * won; copy the board to try moves out. Try: complete four where that is possible, keep the other
 * player from it, look ahead with alpha-beta, ...
 */
int choose(const struct board *board, int player)
{
    (void)player; /* a random move is the same for both */
    int chosen = -1, found = 0;
    for (int field = 0; field < board_count(board); field++)
        if (board_legal(board, field) && rand() % ++found == 0)
            chosen = field; /* the n-th replaces the one before with a chance of 1 in n */
    return chosen;
}
