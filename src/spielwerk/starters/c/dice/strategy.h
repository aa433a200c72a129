/* Where you come in. (MIT licence) */
#ifndef STRATEGY_H
#define STRATEGY_H

#include "race.h"

/* "ROLL" for more points, or "SAVE" those of this turn. */
const char *choose(const struct race *race);

#endif
