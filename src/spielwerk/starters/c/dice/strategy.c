/* Where you come in. (MIT licence) */
#include "strategy.h"

enum { HOLD = 20, TARGET = 150 };

/* ROLL for more points, or SAVE those of this turn.
 *
 * race->points are the points of this turn, race->saved[ME] your own that are safe, and
 * race->saved[0], race->saved[1] those of the others: 0 is the next player, 1 the one after. Who
 * reaches 150 first wins, with saved points and those of the turn together; a double loses the
 * turn. Try: hold at another number, take more risk when another player is close to the end.
 */
const char *choose(const struct race *race)
{
    if (race->points >= HOLD || race->saved[ME] + race->points >= TARGET)
        return "SAVE";
    return "ROLL";
}
