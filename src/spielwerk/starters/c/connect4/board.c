/* The board. (MIT licence) */
#include "board.h"

#include <string.h>

bool board_begin(struct board *board, int width, int height, int depth)
{
    board->width = width;
    board->height = height;
    board->depth = depth > 0 ? depth : 1;
    memset(board->fields, FREE, sizeof board->fields);
    return width > 0 && width <= FIELDS && height > 0 && height <= FIELDS / width &&
           board->depth <= FIELDS / (width * height);
}

int board_count(const struct board *board)
{
    return board->width * board->height * board->depth;
}

bool board_legal(const struct board *board, int field)
{
    if (field < 0 || field >= board_count(board) || board->fields[field] != FREE)
        return false;
    int row = field / board->width % board->height;
    return row == 0 || board->fields[field - board->width] != FREE;
}

/* Whose stone is in layer k, row i, column j; FREE also beside the board. */
static int stone_at(const struct board *board, int k, int i, int j)
{
    if (k < 0 || i < 0 || j < 0 || k >= board->depth || i >= board->height || j >= board->width)
        return FREE;
    return board->fields[(k * board->height + i) * board->width + j];
}

/* Whether four equal stones begin in a field and go on in a direction. */
static bool four(const struct board *board, int field, int dk, int di, int dj)
{
    int j = field % board->width, i = field / board->width % board->height;
    int k = field / board->width / board->height, stone = board->fields[field];
    for (int step = 1; step < 4; step++)
        if (stone_at(board, k + step * dk, i + step * di, j + step * dj) != stone)
            return false;
    return true;
}

/* All 26 directions from a field: each line is found twice, which does no harm. */
static bool wins(const struct board *board, int field)
{
    for (int dk = -1; dk <= 1; dk++)
        for (int di = -1; di <= 1; di++)
            for (int dj = -1; dj <= 1; dj++)
                if ((dk || di || dj) && four(board, field, dk, di, dj))
                    return true;
    return false;
}

int board_result(const struct board *board)
{
    bool full = true;
    for (int field = 0; field < board_count(board); field++) {
        if (board->fields[field] == FREE)
            full = false;
        else if (wins(board, field))
            return board->fields[field];
    }
    return full ? DRAWN : RUNNING;
}
