/* The connector: the conversation with the server, in its three phases. (MIT licence) */
#include "client.h"
#include "connection.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool unexpected(const char *line)
{
    if (line)
        fprintf(stderr, "unexpected: %s\n", line);
    return false;
}

static bool begins(const char *line, const char *beginning)
{
    return strncmp(line, beginning, strlen(beginning)) == 0;
}

/* What the server's next line says behind its +; NULL after a message. */
static char *hear(struct connection *connection)
{
    char *line = connection_receive(connection);
    if (line && begins(line, "+ "))
        return line + 2;
    if (line)
        fprintf(stderr, "the server says: %s\n", line);
    return NULL;
}

/* Hear a line that must begin so; what follows in it, NULL after a message. */
static char *expect(struct connection *connection, const char *beginning)
{
    char *line = hear(connection);
    if (line && begins(line, beginning))
        return line + strlen(beginning);
    unexpected(line);
    return NULL;
}

/* @task Write the prolog: VERSION, ID and PLAYER, each when the server expects it. */
static bool say_version(struct connection *connection)
{
    const char *version = expect(connection, "MNM Gameserver v"); /* v1.0 accepting connections */
    if (!version || !connection_send(connection, "VERSION %d.0", atoi(version)))
        return false;
    const char *line = hear(connection);
    while (line && !begins(line, "Client version accepted"))
        line = hear(connection); /* servers of some years greet with more than one line */
    return line != NULL;
}

static bool find_game(const char *kind, int *game)
{
    for (*game = 0; *game < 2; ++*game)
        if (strcmp(kind, games[*game]->kind) == 0)
            return true;
    fprintf(stderr, "this game is %s; we play Quarto and NMMorris\n", kind);
    return false;
}

static bool say_game(struct connection *connection, const char *id, struct position *position)
{
    if (!connection_send(connection, "ID %s", id))
        return false;
    const char *kind = expect(connection, "PLAYING ");
    if (!kind || !find_game(kind, &position->game))
        return false;
    const char *name = hear(connection);
    if (name)
        printf("playing %s: %s\n", games[position->game]->kind, name);
    return name != NULL;
}

/* 1 Player 2 0: the number, a name that may have blanks, and whether the player is there. */
static bool show_player(char *line)
{
    char *last = strrchr(line, ' '), *name;
    long number = strtol(line, &name, 10);
    if (name == line || !last || last < name)
        return unexpected(line);
    *last = '\0';
    printf("player %ld (%s) is %s\n", number, name + (*name == ' '),
           atoi(last + 1) ? "ready" : "not ready");
    return true;
}

static bool say_player(struct connection *connection, const char *wanted, int *player)
{
    if (!(wanted ? connection_send(connection, "PLAYER %s", wanted)
                 : connection_send(connection, "PLAYER")))
        return false;
    char *line = expect(connection, "YOU "), *name;
    if (!line)
        return false;
    *player = (int)strtol(line, &name, 10);
    if (*player < 0 || *player > 1)
        return unexpected(line);
    printf("we are player %d (%s)\n", *player, name + (*name == ' '));
    if (!expect(connection, "TOTAL "))
        return false;
    while ((line = hear(connection)) && strcmp(line, "ENDPLAYERS") != 0)
        if (!show_player(line))
            return false;
    return line != NULL;
}
/* @open */
/* @end */

static bool prolog(struct connection *connection, const struct options *options,
                   struct position *position)
{
    /* @task Call what you have written for the prolog. */
    return say_version(connection) && say_game(connection, options->game_id, position) &&
           say_player(connection, options->player, &position->player);
    /* @open */
    /*| (void)options; */
    /*| (void)position; */
    /*| if (expect(connection, "MNM Gameserver v")) */
    /*|     fprintf(stderr, "the prolog is not written yet\n"); */
    /*| return false; */
    /* @end */
}

/* @task Write the course of the game: what is to be done at MOVE and at GAMEOVER. */
/* Have the thinker find a move: wake it, and wait at the pipe. */
static bool ask_thinker(const struct shared *shared, int pipe_in, char move[MOVE_SIZE])
{
    if (kill(shared->thinker, SIGUSR1) == 0 && read(pipe_in, move, MOVE_SIZE) == MOVE_SIZE)
        return true;
    fprintf(stderr, "the thinker is gone\n");
    return false;
}

static bool read_position(struct connection *connection, struct position *position)
{
    const struct game *game = games[position->game];
    const char *line;
    while ((line = hear(connection)) && strcmp(line, game->end) != 0)
        if (!game->read_line(position, line))
            return unexpected(line);
    return line != NULL;
}

static bool make_move(struct connection *connection, struct shared *shared, int pipe_in)
{
    char move[MOVE_SIZE];
    return read_position(connection, &shared->position) &&
           connection_send(connection, "THINKING") && expect(connection, "OKTHINK") &&
           ask_thinker(shared, pipe_in, move) && connection_send(connection, "PLAY %s", move) &&
           expect(connection, "MOVEOK");
}

/* Say how the game ended; servers of later years name the winners after the position. */
static bool game_over(struct connection *connection, int player, const char *winner)
{
    bool won[2] = {winner[0] == ' ' && winner[1] == '0', winner[0] == ' ' && winner[1] == '1'};
    const char *line;
    while ((line = hear(connection)) && strcmp(line, "QUIT") != 0) {
        if (strcmp(line, "PLAYER0WON Yes") == 0)
            won[0] = true;
        if (strcmp(line, "PLAYER1WON Yes") == 0)
            won[1] = true;
    }
    if (line)
        puts(won[0] == won[1] ? "drawn" : won[player] ? "won" : "lost");
    return line != NULL;
}
/* @open */
/* @end */

/* The course of the game, until it is over. */
static bool course(struct connection *connection, struct shared *shared, int pipe_in)
{
    /* @task Answer WAIT, MOVE and GAMEOVER until QUIT. */
    const char *line;
    bool well = true;
    while (well && (line = hear(connection))) {
        if (strcmp(line, "WAIT") == 0)
            well = connection_send(connection, "OKWAIT");
        else if (sscanf(line, "MOVE %d", &shared->position.milliseconds) == 1)
            well = make_move(connection, shared, pipe_in);
        else if (begins(line, "GAMEOVER"))
            return game_over(connection, shared->position.player, line + strlen("GAMEOVER"));
        else
            well = unexpected(line);
    }
    return false;
    /* @open */
    /*| (void)shared; */
    /*| (void)pipe_in; */
    /*| if (hear(connection)) */
    /*|     fprintf(stderr, "the course of the game is not written yet\n"); */
    /*| return false; */
    /* @end */
}

bool play(const struct options *options, struct shared *shared, int pipe_in)
{
    struct connection connection;
    if (!connection_open(&connection, options->host, options->port))
        return false;
    bool well = prolog(&connection, options, &shared->position) &&
                course(&connection, shared, pipe_in);
    connection_close(&connection);
    return well;
}
