/* The board, flat or solid: legal moves, and four in a line. (MIT licence)
 *
 * Fields are numbered layer by layer, row by row, and stones fall along the height: field
 * k * width * height + i * width + j is in layer k, row i (0 is at the bottom) and column j.
 */
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>

enum { FIELDS = 32 * 32 * 32 };
enum { FREE = 0, INITIATOR = 1, OPPONENT = 2 }; /* of a field */
enum { RUNNING = -1, DRAWN = 0 };               /* of a game, or who has won */

struct board {
    int width, height, depth;
    char fields[FIELDS];
};

/* An empty board; false if it is too large. Depth 0 is the flat game, as depth 1 is. */
bool board_begin(struct board *board, int width, int height, int depth);

int board_count(const struct board *board);
bool board_legal(const struct board *board, int field);

/* RUNNING, DRAWN, INITIATOR or OPPONENT. */
int board_result(const struct board *board);

#endif
