/* Joins a game of Connect Four: join INDEX-HOST INDEX-PORT [GAME] (MIT licence)
 *
 * It takes the first open game of the index server's list, or the one with this name.
 */
#include "board.h"
#include "message.h"
#include "strategy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 30 }; /* seconds for the answer to join_game: people may be asked */

static const char name[] = "starter";
static struct index_server server; /* too large for the stack */
static struct connection connection;
static struct board board;

/* An entry of the list. */
struct entry {
    const char *status, *game, *address, *port;
    int width, height, depth;
};

/* Something is wrong: tell the initiator and ourselves. */
static bool give_up(const char *reason)
{
    fprintf(stderr, "join: %s\n", reason);
    connection_send(&connection, "abort_game;%s", reason);
    return false;
}

/* @task Write the game: start_game, the board (V1, V2), move, end_game and abort_game. */
static bool board_empty(void)
{
    for (int field = 0; field < board_count(&board); field++)
        if (board.fields[field] != FREE)
            return false;
    return true;
}

static bool make_move(void)
{
    if (board_result(&board) != RUNNING)
        return true; /* end_game follows */
    int field = choose(&board, OPPONENT);
    board.fields[field] = OPPONENT; /* some initiators never confirm it */
    return connection_send(&connection, "move;%d", field);
}

/* Read one field and its state; whether the initiator has a new stone there. */
static bool read_field(char **rest, bool *new_stone)
{
    int field, state;
    if (!next_number(rest, &field) || !next_number(rest, &state))
        return give_up("a field and its state were due");
    if (field >= board_count(&board) || state > OPPONENT)
        return give_up("there is no such field or state");
    if (board.fields[field] != FREE && board.fields[field] != state)
        return give_up("a stone was taken away");
    if (state == INITIATOR && board.fields[field] == FREE)
        *new_stone = true;
    board.fields[field] = (char)state;
    return true;
}

/* Read some fields; a new stone of the initiator means that it is our turn. */
static bool read_fields(char *rest, int count)
{
    bool new_stone = false;
    for (int number = 0; number < count; number++)
        if (!read_field(&rest, &new_stone))
            return false;
    return !new_stone || make_move();
}

static bool game_over(const char *result)
{
    static const char *const results[] = {"drawn", "lost", "won"};
    if (!result || strlen(result) != 1 || !strchr("012", *result))
        return give_up("there is no such outcome");
    puts(results[*result - '0']);
    return true;
}
/* @open */
/* @end */

/* Do what the initiator says until the game is over. */
static bool play(void)
{
    /* @task Understand every message of the initiator, up to end_game. */
    char *rest;
    bool well = true;
    while (well && (rest = connection_receive(&connection))) {
        const char *word = next_part(&rest);
        int count;
        if (strcmp(word, "end_game") == 0)
            return game_over(next_part(&rest));
        if (strcmp(word, "start_game") == 0 && board_empty())
            well = make_move();
        else if (strcmp(word, "synchronize_game_board") == 0)
            well = next_number(&rest, &count) ? read_fields(rest, count) : give_up("no number");
        else if (strcmp(word, "updated_game_board") == 0 || strcmp(word, "update_game_board") == 0)
            well = read_fields(rest, 1);
        else
            well = give_up(word); /* abort_game, moved_failed, or nothing that we know */
    }
    return false;
    /* @open */
    /*| int field = choose(&board, OPPONENT); */
    /*| fprintf(stderr, "the game is not written yet: we would play %d\n", field); */
    /*| return give_up("not written yet"); */
    /* @end */
}

/* Join a game; whether we may play. */
static bool join(const struct entry *entry)
{
    connection_patience(&connection, PATIENCE);
    /* @task Write joining: join_game, and what the initiator may answer. */
    if (!connection_send(&connection, "join_game;%s;%s;V2", name, entry->game))
        return false;
    char *answer = connection_receive(&connection);
    if (!answer)
        return false;
    const char *word = next_part(&answer);
    if (strcmp(word, "join_game_success") != 0) {
        fprintf(stderr, "join: %s: %s\n", word, answer ? answer : "");
        return false;
    }
    /* Whether it is V1 or V2, each message of the game says by itself. */
    printf("playing %s, %s\n", entry->game, answer ? answer : "V1");
    /* @open */
    /*| printf("joining %s as %s\n", entry->game, name); */
    /* @end */
    connection_patience(&connection, 0); /* the initiator may think as long as it likes */
    return true;
}

/* Status, player, game, width, height, depth, address, port. */
static bool read_entry(char **list, struct entry *entry)
{
    entry->status = next_part(list);
    next_part(list); /* the player */
    entry->game = next_part(list);
    bool well = next_number(list, &entry->width) && next_number(list, &entry->height) &&
                next_number(list, &entry->depth);
    entry->address = next_part(list);
    entry->port = next_part(list);
    return well && entry->port;
}

/* Find a game that we can join, and play it. */
static bool play_any(char *list, const char *wanted)
{
    int count;
    struct entry entry;
    if (strcmp(next_part(&list), "answer_game_list") != 0 || !next_number(&list, &count))
        return false;
    for (int number = 0; number < count; number++) {
        if (!read_entry(&list, &entry))
            return false;
        if (strcmp(entry.status, "Open") != 0 || (wanted && strcmp(entry.game, wanted) != 0))
            continue;
        if (!board_begin(&board, entry.width, entry.height, entry.depth))
            continue;
        if (!connection_open(&connection, entry.address, entry.port))
            continue;
        bool joined = join(&entry), well = joined && play();
        connection_close(&connection);
        if (joined)
            return well;
    }
    return false;
}

int main(int argc, char **argv)
{
    if (argc < 3 || argc > 4) {
        fprintf(stderr, "usage: %s INDEX-HOST INDEX-PORT [GAME]\n", argv[0]);
        return EXIT_FAILURE;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    srand((unsigned)time(NULL) ^ ((unsigned)getpid() << 8));
    server.host = argv[1];
    server.port = argv[2];
    char *list = ask_index(&server, "request_game_list");
    if (list && play_any(list, argc > 3 ? argv[3] : NULL))
        return EXIT_SUCCESS;
    fprintf(stderr, "join: no game was played to its end\n");
    return EXIT_FAILURE;
}
