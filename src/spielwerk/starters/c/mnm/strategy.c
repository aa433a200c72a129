/* Where you come in. (MIT licence) */
#include "strategy.h"

#include <stdlib.h>
#include <string.h>

/* One of the legal moves, found within position->milliseconds (leave some to the network).
 *
 * legal_moves() has all of them; position.h says what else a position knows. Try: win at once
 * where that is possible, hand on no stone with which the other player wins, look two moves
 * ahead, ...
 */
bool choose(const struct position *position, char move[MOVE_SIZE])
{
    struct moves moves = legal_moves(position);
    bool found = moves.count > 0;
    if (found)
        strcpy(move, moves.move[rand() % moves.count]);
    free_moves(&moves);
    return found;
}
