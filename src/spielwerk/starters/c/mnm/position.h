/* Positions of both games, and their legal moves. (MIT licence)
 *
 * A position lies in shared memory: the connector writes it, the thinker reads it. So it has no
 * pointers, which would mean something in one process only.
 */
#ifndef POSITION_H
#define POSITION_H

#include <stdbool.h>

enum { MOVE_SIZE = 16, LARGEST = 26, STONES = 9, PLACES = 24 };
enum { FREE = -1 };                  /* a square of Quarto without a stone */
enum { IN_HAND = -1, CAPTURED = -2 }; /* stones of Morris that are not on a place */

struct quarto {
    int stone;                    /* which we must place */
    int width, height;
    int field[LARGEST][LARGEST]; /* [row][column]: a stone or FREE; row 0 is the lowest, named 1 */
};

struct morris {
    int captures;          /* how many stones we must take now */
    int stones[2][STONES]; /* of both players: 8 * ring + number (A0 is 0), or one of the above */
};

struct position {
    int game;         /* its place in games[] */
    int player;       /* who we are, 0 or 1 */
    int milliseconds; /* for this move */
    struct quarto quarto;
    struct morris morris;
};

/* A list of moves, as they are sent; it grows. */
struct moves {
    char (*move)[MOVE_SIZE];
    int count, room;
};

/* What the client must know of a game. */
struct game {
    const char *kind; /* as PLAYING says */
    const char *end;  /* the last line of a position */
    bool (*read_line)(struct position *position, const char *line); /* false: not understood */
    void (*list_moves)(const struct position *position, struct moves *moves);
};

extern const struct game quarto_game, morris_game;
extern const struct game *const games[2];

/* All legal moves; free them with free_moves. */
struct moves legal_moves(const struct position *position);
void add_move(struct moves *moves, const char *format, ...) __attribute__((format(printf, 2, 3)));
void free_moves(struct moves *moves);

#endif
