/* Quarto: the field as the server shows it, and all legal moves. (MIT licence) */
#include "position.h"

#include <stdio.h>
#include <stdlib.h>

/* 4 * * 15 * */
static bool read_row(struct quarto *quarto, const char *line)
{
    char *text, *end;
    long row = strtol(line, &text, 10);
    if (row < 1 || row > quarto->height)
        return false;
    for (int column = 0; column < quarto->width; column++) {
        while (*text == ' ')
            text++;
        int stone = *text == '*' ? FREE : (int)strtol(text, &end, 10);
        if (*text == '*')
            end = text + 1;
        else if (end == text || stone < 0)
            return false;
        quarto->field[row - 1][column] = stone;
        text = end;
    }
    return true;
}

static bool read_line(struct position *position, const char *line)
{
    struct quarto *quarto = &position->quarto;
    if (sscanf(line, "NEXT %d", &quarto->stone) == 1)
        return true;
    if (sscanf(line, "FIELD %d ,%d", &quarto->width, &quarto->height) == 2)
        return quarto->width <= LARGEST && quarto->height <= LARGEST;
    return read_row(quarto, line);
}

/* Mark the stones that are on the field or in our hand: all others may be handed on. */
static void find_used(const struct quarto *quarto, bool used[LARGEST * LARGEST])
{
    int count = quarto->width * quarto->height;
    if (quarto->stone >= 0 && quarto->stone < count)
        used[quarto->stone] = true;
    for (int row = 0; row < quarto->height; row++)
        for (int column = 0; column < quarto->width; column++) {
            int stone = quarto->field[row][column];
            if (stone != FREE && stone < count)
                used[stone] = true;
        }
}

/* The moves on one free square: with each stone that is left, or without one if none is left. */
static void add_moves(const struct quarto *quarto, const bool *used, const char *square,
                      struct moves *moves)
{
    int before = moves->count;
    for (int stone = 0; stone < quarto->width * quarto->height; stone++)
        if (!used[stone])
            add_move(moves, "%s,%d", square, stone);
    if (moves->count == before)
        add_move(moves, "%s", square);
}

static void list_moves(const struct position *position, struct moves *moves)
{
    const struct quarto *quarto = &position->quarto;
    bool used[LARGEST * LARGEST] = {false};
    find_used(quarto, used);
    for (int row = 0; row < quarto->height; row++)
        for (int column = 0; column < quarto->width; column++)
            if (quarto->field[row][column] == FREE) {
                char square[MOVE_SIZE];
                snprintf(square, sizeof square, "%c%d", 'A' + column, row + 1);
                add_moves(quarto, used, square, moves);
            }
}

const struct game quarto_game = {"Quarto", "ENDFIELD", read_line, list_moves};
