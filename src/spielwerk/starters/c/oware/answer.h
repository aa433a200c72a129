/* The answer to a request. (MIT licence) */
#ifndef ANSWER_H
#define ANSWER_H

#include "request.h"

#include <stdio.h>

/* Write five lines: the first thing that is wrong, or a move. */
void answer(FILE *out, const struct request *request);

#endif
