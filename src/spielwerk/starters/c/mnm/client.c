/* A client of the game server: client -g GAME-ID [-p PLAYER] [-s HOST:PORT] (MIT licence)
 *
 * It plays Quarto and Nine Men's Morris, whichever the game is, on servers of any year.
 */
#include "client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void usage(const char *program)
{
    fprintf(stderr, "usage: %s -g GAME-ID [-p PLAYER] [-s HOST:PORT]\n", program);
    exit(EXIT_FAILURE);
}

/* HOST or HOST:PORT; the colon becomes the end of the host. */
static void read_server(char *text, struct options *options)
{
    char *colon = strrchr(text, ':');
    options->host = text;
    if (colon) {
        *colon = '\0';
        options->port = colon + 1;
    }
}

static struct options read_options(int argc, char **argv)
{
    struct options options = {.host = "localhost", .port = "1357"};
    int option;
    while ((option = getopt(argc, argv, "g:p:s:")) != -1)
        switch (option) {
        case 'g': options.game_id = optarg; break;
        case 'p': options.player = optarg; break;
        case 's': read_server(optarg, &options); break;
        default: usage(argv[0]);
        }
    if (!options.game_id || optind < argc)
        usage(argv[0]);
    return options;
}

int main(int argc, char **argv)
{
    struct options options = read_options(argc, argv);
    setvbuf(stdout, NULL, _IOLBF, 0); /* every line is seen at once, in a file, too */
    return run(&options);
}
