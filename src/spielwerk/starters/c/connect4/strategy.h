/* Where you come in. (MIT licence) */
#ifndef STRATEGY_H
#define STRATEGY_H

#include "board.h"

/* A legal move of a player, INITIATOR or OPPONENT; there is at least one. */
int choose(const struct board *board, int player);

#endif
