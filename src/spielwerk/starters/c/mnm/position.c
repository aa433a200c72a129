/* What both games share: lists of moves. (MIT licence) */
#include "position.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const struct game *const games[2] = {&quarto_game, &morris_game};

struct moves legal_moves(const struct position *position)
{
    struct moves moves = {0};
    games[position->game]->list_moves(position, &moves);
    return moves;
}

void add_move(struct moves *moves, const char *format, ...)
{
    if (moves->count == moves->room) {
        moves->room = 2 * moves->room + 64;
        moves->move = realloc(moves->move, moves->room * sizeof *moves->move);
        if (!moves->move) {
            perror("realloc");
            exit(EXIT_FAILURE);
        }
    }
    va_list values;
    va_start(values, format);
    vsnprintf(moves->move[moves->count++], MOVE_SIZE, format, values);
    va_end(values);
}

void free_moves(struct moves *moves)
{
    free(moves->move);
}
