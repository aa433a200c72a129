/* The race: who has saved what. (MIT licence)
 *
 * The server tells every throw to all, but not who saves: a turn is over when another player
 * throws, or when we are asked. The points of the turn are saved then, unless it ended with a
 * double.
 */
#include "race.h"

void race_turn_of(struct race *race, int player)
{
    if (player == race->player)
        return;
    race_end_turn(race);
    race->player = player;
}

void race_end_turn(struct race *race)
{
    race->saved[race->player] += race->points;
    race->points = 0;
}

void race_thrown(struct race *race, int player, int first, int second)
{
    race_turn_of(race, player);
    if (first == second)
        race->points = 0; /* a double loses the points of the turn, and ends it */
    else
        race->points += first + second;
}
