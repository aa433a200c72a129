/* Judging a request, and answering it. (MIT licence) */
#include "answer.h"
#include "oware.h"
#include "strategy.h"

#include <string.h>

static const char *const line_names[LINES] = {"strategy", "search-depth", "initial-board",
                                              "move-history"};

static struct line line_of(const char *text)
{
    return (struct line){text, strlen(text)};
}

/* The five lines; the details have a length, because a wrong line is repeated as it came. */
static void write_answer(FILE *out, const char *status, int strategy, struct line details,
                         const int board[BOARD])
{
    fprintf(out, "%s\n%s\n%s\n", status, author, strategies[strategy]);
    fwrite(details.text, 1, details.length, out);
    for (int place = 0; place < BOARD; place++)
        fprintf(out, "%c%d", place == 0 ? '\n' : ' ', board[place]);
    fputc('\n', out);
}

/* Read a number at the beginning of some bytes: digits, no sign, no leading zero. How many bytes
 * it has, 0 if there is no such number. */
static size_t read_number(struct line line, int *number)
{
    size_t length = 0;
    *number = 0;
    while (length < line.length && length < 9 && line.text[length] >= '0' &&
           line.text[length] <= '9' && (length == 0 || line.text[0] != '0'))
        *number = 10 * *number + line.text[length++] - '0';
    return length;
}

/* 14 numbers with a blank between them, 48 stones in all. */
static bool read_board(struct line line, int board[BOARD])
{
    int sum = 0;
    for (int place = 0; place < BOARD; place++) {
        size_t length = read_number(line, &board[place]);
        bool last = place == BOARD - 1;
        if (length == 0 || board[place] > STONES)
            return false;
        if (last ? line.length != length : line.length == length || line.text[length] != ' ')
            return false;
        line.text += length + !last;
        line.length -= length + !last;
        sum += board[place];
    }
    return sum == STONES;
}

/* @task Test the four lines in the order of section 5.4, and repeat a wrong one as it came. */
static bool read_strategy(struct line line, int *strategy)
{
    return line.length > 0 && read_number(line, strategy) == line.length && *strategy < STRATEGIES;
}

static bool read_depth(struct line line, int *depth)
{
    return line.length == 1 && read_number(line, depth) == 1 && *depth > 0;
}

static bool may_play(const struct game *game, int house)
{
    int moves[HOUSES], count = legal_moves(game->board, game->player, moves);
    for (int one = 0; one < count; one++)
        if (moves[one] == house)
            return !game_over(game);
    return false;
}

/* Play all moves of the history; which one is wrong, -1 if none is. */
static int play_history(struct game *game, struct line history)
{
    for (size_t place = 0; place < history.length; place++) {
        int house = history.text[place] - '0';
        if (!may_play(game, house))
            return (int)place;
        game_play(game, house);
    }
    return -1;
}
/* @open */
/* @end */

/* Play a move of our own, or say that the game is over. */
static void answer_move(FILE *out, struct game *game, int strategy, int depth)
{
    char details[] = "finish";
    if (game_over(game)) {
        finish(game->board);
    } else {
        int house = choose(game, strategy, depth);
        game_play(game, house);
        snprintf(details, sizeof details, "%d", house);
    }
    write_answer(out, "OK", strategy, line_of(details), game->board);
}

void answer(FILE *out, const struct request *request)
{
    const struct line *lines = request->lines;
    int strategy = 0, depth = 1, board[BOARD];
    if (request->count < LINES) {
        struct line missing = line_of(line_names[request->count]);
        write_answer(out, "ERROR read-failure", 0, missing, start_board);
        return;
    }
    struct game game;
    /* @task Say what is wrong with the request, or play its moves; then comes ours. */
    if (!read_strategy(lines[0], &strategy)) {
        write_answer(out, "ERROR strategy", 0, lines[0], start_board);
        return;
    }
    if (!read_depth(lines[1], &depth)) {
        write_answer(out, "ERROR search-depth", strategy, lines[1], start_board);
        return;
    }
    if (!read_board(lines[2], board)) {
        write_answer(out, "ERROR initial-board", strategy, lines[2], start_board);
        return;
    }
    game_begin(&game, board);
    int wrong = play_history(&game, lines[3]);
    if (wrong >= 0) {
        char status[64];
        snprintf(status, sizeof status, "ERROR move-history %d", wrong);
        write_answer(out, status, strategy, lines[3], game.board);
    } else {
        answer_move(out, &game, strategy, depth);
    }
    /* @open */
    /*| game_begin(&game, read_board(lines[2], board) ? board : start_board); */
    /*| answer_move(out, &game, strategy, depth); */
    /* @end */
    game_free(&game);
}
