/* Oware: boards, legal moves, sowing and collecting, and when a game is over. (MIT licence)
 *
 * A board has 14 numbers: the stones that A and B have taken, A's houses 0 to 5, B's 0 to 5.
 * Player 0 is A, player 1 is B.
 */
#ifndef OWARE_H
#define OWARE_H

#include <stdbool.h>

enum { HOUSES = 6, BOARD = 14, STONES = 48, MAJORITY = 25 };

extern const int start_board[BOARD];

/* A board and whose turn it is, small, so that thousands can be kept. */
struct situation {
    signed char player;
    signed char board[BOARD];
};

struct game {
    int board[BOARD];
    int player;
    bool repeated;          /* the situation was there before */
    struct situation *seen; /* every situation there has been */
    int count, room;
};

void game_begin(struct game *game, const int board[BOARD]);
void game_free(struct game *game);

/* Sow from a house, collect, and give the turn to the other player. */
void game_play(struct game *game, int house);

/* Whether the game has ended: a majority, no move, or a situation that was there before. */
bool game_over(const struct game *game);

/* The houses from which the player may sow; how many they are. */
int legal_moves(const int board[BOARD], int player, int moves[HOUSES]);

/* Sow and collect on a board alone, to look ahead. */
void make_move(int board[BOARD], int player, int house);

/* After the end both take the stones on their own side. */
void finish(int board[BOARD]);

#endif
