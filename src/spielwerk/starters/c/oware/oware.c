/* Oware: the rules. (MIT licence) */
#include "oware.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const int start_board[BOARD] = {0, 0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4};

/* Where a player's house is on the board. */
static int place_of(int player, int house)
{
    return 2 + HOUSES * player + house;
}

/* The stones in a player's houses. */
static int stones_of(const int board[BOARD], int player)
{
    int sum = 0;
    for (int house = 0; house < HOUSES; house++)
        sum += board[place_of(player, house)];
    return sum;
}

int legal_moves(const int board[BOARD], int player, int moves[HOUSES])
{
    int count = 0;
    bool starved = stones_of(board, 1 - player) == 0; /* then the opponent must get some */
    for (int house = 0; house < HOUSES; house++) {
        int stones = board[place_of(player, house)];
        if (stones > 0 && (!starved || house + stones >= HOUSES))
            moves[count++] = house;
    }
    return count;
}

/* @task Write sowing, with the house that is skipped, and collecting, with the grand slam. */
/* Sow the stones of a place; where the last one fell. The place itself is always skipped. */
static int sow(int board[BOARD], int origin)
{
    int stones = board[origin], place = origin;
    board[origin] = 0;
    while (stones > 0) {
        place = place == BOARD - 1 ? 2 : place + 1;
        if (place != origin) {
            board[place]++;
            stones--;
        }
    }
    return place;
}

/* Take twos and threes backwards from the last stone, but never all that the opponent has. */
static void collect(int board[BOARD], int last, int player)
{
    int first = place_of(1 - player, 0), end = first + HOUSES, gain = 0, place = last;
    while (place >= first && place < end && (board[place] == 2 || board[place] == 3))
        gain += board[place--];
    if (gain == stones_of(board, 1 - player))
        return;
    for (int taken = place + 1; taken <= last; taken++)
        board[taken] = 0;
    board[player] += gain;
}
/* @open */
/* @end */

void make_move(int board[BOARD], int player, int house)
{
    /* @task Sow and collect, as sections 2.5.1 to 2.5.4 of the task say. */
    int last = sow(board, place_of(player, house));
    collect(board, last, player);
    /* @open */
    /*| board[place_of(player, house)] = 0; */
    /* @end */
}

/* Note the situation, and whether it was there before. */
static void remember(struct game *game)
{
    struct situation now = {.player = (signed char)game->player};
    for (int place = 0; place < BOARD; place++)
        now.board[place] = (signed char)game->board[place];
    game->repeated = false;
    for (int one = 0; one < game->count; one++)
        if (memcmp(&game->seen[one], &now, sizeof now) == 0)
            game->repeated = true;
    if (game->count == game->room) {
        game->room = 2 * game->room + 64;
        game->seen = realloc(game->seen, game->room * sizeof *game->seen);
        if (!game->seen) {
            perror("realloc");
            exit(EXIT_FAILURE);
        }
    }
    game->seen[game->count++] = now;
}

void game_begin(struct game *game, const int board[BOARD])
{
    *game = (struct game){.player = 0};
    memcpy(game->board, board, sizeof game->board);
    remember(game);
}

void game_free(struct game *game)
{
    free(game->seen);
}

void game_play(struct game *game, int house)
{
    make_move(game->board, game->player, house);
    game->player = 1 - game->player;
    remember(game);
}

bool game_over(const struct game *game)
{
    int moves[HOUSES];
    return game->board[0] >= MAJORITY || game->board[1] >= MAJORITY || game->repeated ||
           legal_moves(game->board, game->player, moves) == 0;
}

void finish(int board[BOARD])
{
    for (int player = 0; player < 2; player++)
        board[player] += stones_of(board, player);
    memset(board + 2, 0, (BOARD - 2) * sizeof *board);
}
