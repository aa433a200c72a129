/* Nine Men's Morris: the stones as the server shows them, and all legal moves. (MIT licence)
 *
 * Places are A (outer ring), B and C (inner ring), each from 0 at the top left clockwise to 7.
 */
#include "position.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_line(struct position *position, const char *line)
{
    struct morris *morris = &position->morris;
    int player, number;
    char place[3];
    if (sscanf(line, "CAPTURE %d", &morris->captures) == 1)
        return true;
    if (strncmp(line, "PIECELIST ", strlen("PIECELIST ")) == 0)
        return true; /* always two players with nine stones each */
    if (sscanf(line, "PIECE%d.%d %2s", &player, &number, place) != 3)
        return false;
    if (player < 0 || player > 1 || number < 0 || number >= STONES)
        return false;
    int *stone = &morris->stones[player][number];
    if (place[1] == '\0')
        *stone = place[0] == 'A' ? IN_HAND : CAPTURED;
    else
        *stone = 8 * (place[0] - 'A') + place[1] - '0';
    return *stone < PLACES;
}

static bool connected(int from, int to)
{
    if (from / 8 == to / 8) /* on one ring: neighbours, and 7 is next to 0 */
        return (from + 1) % 8 == to % 8 || (to + 1) % 8 == from % 8;
    return abs(from - to) == 8 && from % 2 == 1; /* along a spoke */
}

/* Who has which place: 0, 1 or FREE. */
static void fill_board(const struct morris *morris, int board[PLACES])
{
    for (int place = 0; place < PLACES; place++)
        board[place] = FREE;
    for (int player = 0; player < 2; player++)
        for (int number = 0; number < STONES; number++)
            if (morris->stones[player][number] >= 0)
                board[morris->stones[player][number]] = player;
}

static int count(const int stones[STONES], int first, int last)
{
    int found = 0;
    for (int number = 0; number < STONES; number++)
        found += stones[number] >= first && stones[number] <= last;
    return found;
}

/* The places that this player has (or that are FREE), as moves: to place a stone or to take one. */
static void add_places(const int board[PLACES], int player, struct moves *moves)
{
    for (int place = 0; place < PLACES; place++)
        if (board[place] == player)
            add_move(moves, "%c%d", 'A' + place / 8, place % 8);
}

static void add_steps(const int board[PLACES], int player, bool flies, struct moves *moves)
{
    for (int from = 0; from < PLACES; from++)
        for (int to = 0; to < PLACES; to++)
            if (board[from] == player && board[to] == FREE && (flies || connected(from, to)))
                add_move(moves, "%c%d:%c%d", 'A' + from / 8, from % 8, 'A' + to / 8, to % 8);
}

static void list_moves(const struct position *position, struct moves *moves)
{
    const struct morris *morris = &position->morris;
    const int *own = morris->stones[position->player];
    int board[PLACES];
    fill_board(morris, board);
    if (morris->captures > 0)
        add_places(board, 1 - position->player, moves);
    else if (count(own, IN_HAND, IN_HAND) > 0)
        add_places(board, FREE, moves);
    else
        add_steps(board, position->player, count(own, 0, PLACES - 1) == 3, moves);
}

const struct game morris_game = {"NMMorris", "ENDPIECELIST", read_line, list_moves};
