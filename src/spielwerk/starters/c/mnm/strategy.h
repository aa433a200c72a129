/* Where you come in. (MIT licence) */
#ifndef STRATEGY_H
#define STRATEGY_H

#include "position.h"

/* Write one of the legal moves; false if there is none. */
bool choose(const struct position *position, char move[MOVE_SIZE]);

#endif
