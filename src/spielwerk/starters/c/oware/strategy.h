/* Where you come in. (MIT licence) */
#ifndef STRATEGY_H
#define STRATEGY_H

#include "oware.h"

enum { STRATEGIES = 2 };

extern const char author[];
extern const char *const strategies[STRATEGIES]; /* their names */

/* One of the legal moves; there is at least one. */
int choose(const struct game *game, int strategy, int depth);

#endif
