/* A bot for the dice contest: dicebot -n NAME [-p PORT] HOST (MIT licence) */
#include "connection.h"
#include "race.h"
#include "strategy.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
    const char *name, *port, *host;
};

/* A signal asks us to end: say so, and end without an error.
 *
 * A handler may interrupt anything, printf for instance, so it must call only functions that bear
 * that (man 7 signal-safety): write and _exit do. The kernel closes the connection.
 */
static void terminate(int number)
{
    (void)number;
    /* @task Write the sentence of the document to stderr, and end with exit status 0. */
    static const char message[] = "Received termination request - terminating...\n";
    ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
    _exit(written < 0 ? EXIT_FAILURE : EXIT_SUCCESS);
    /* @open */
    /*| _exit(EXIT_FAILURE); */
    /* @end */
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = terminate};
    sigfillset(&action.sa_mask); /* a second signal waits: the sentence is written once */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGQUIT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static void usage(const char *problem)
{
    fprintf(stderr, "dicebot: %s\nusage: dicebot -n NAME [-p PORT] HOST\n", problem);
    exit(EXIT_FAILURE);
}

static bool is_name(const char *text)
{
    const char *letter = text;
    while (isalnum((unsigned char)*letter))
        letter++;
    return *text != '\0' && *letter == '\0';
}

static bool is_port(const char *text)
{
    char *end;
    long port = strtol(text, &end, 10);
    return isdigit((unsigned char)*text) && *end == '\0' && port > 0 && port < 65536;
}

static struct options read_options(int argc, char **argv)
{
    struct options options = {.port = "9001"};
    int option;
    while ((option = getopt(argc, argv, "n:p:")) != -1)
        switch (option) {
        case 'n': options.name = optarg; break;
        case 'p': options.port = optarg; break;
        default: usage("that is not an option"); /* getopt has said more */
        }
    if (!options.name || !is_name(options.name))
        usage("-n needs a name of letters and digits only");
    if (!is_port(options.port))
        usage("ports are 1 to 65535");
    if (optind != argc - 1)
        usage("one host is needed");
    options.host = argv[optind];
    return options;
}

static bool begins(const char *line, const char *word)
{
    size_t length = strlen(word);
    return strncmp(line, word, length) == 0 && (line[length] == ' ' || line[length] == '\0');
}

/* Do what one line of the server asks for; false if that is to end. */
static bool answer(struct connection *connection, struct race *race, const char *name,
                   const char *line)
{
    if (begins(line, "HELO"))
        return connection_send(connection, "AUTH %s", name);
    /* @task Understand TURN, THRW, WIN, DEF and ERR. */
    int player, first, second;
    if (begins(line, "TURN")) {
        race_turn_of(race, ME);
        return connection_send(connection, "%s", choose(race));
    }
    if (sscanf(line, "THRW %d %d %d", &player, &first, &second) == 3 && player >= 0 && player < 3) {
        race_thrown(race, player, first, second);
        return true;
    }
    if (begins(line, "WIN") || begins(line, "DEF")) {
        race_end_turn(race); /* the winning throw counts */
        return connection_send(connection, "BYE %d %d %d", race->saved[ME], race->saved[0],
                               race->saved[1]);
    }
    fprintf(stderr, "the server says: %s\n", line);
    return false;
    /* @open */
    /*| (void)race; */
    /*| return true; */
    /* @end */
}

/* Answer the server's lines until it says BYE; false if it says ERR or closes. */
static bool play(struct connection *connection, const char *name)
{
    struct race race = {.player = ME};
    const char *line = connection_receive(connection);
    /* @task Answer every message of the server; answer() is where to begin. */
    while (line && !begins(line, "BYE") && answer(connection, &race, name, line))
        line = connection_receive(connection);
    return line && begins(line, "BYE");
    /* @open */
    /*| return line && answer(connection, &race, name, line); */
    /* @end */
}

int main(int argc, char **argv)
{
    catch_signals();
    struct options options = read_options(argc, argv);
    struct connection connection;
    if (!connection_open(&connection, options.host, options.port))
        return EXIT_FAILURE;
    bool well = play(&connection, options.name);
    connection_close(&connection);
    return well ? EXIT_SUCCESS : EXIT_FAILURE;
}
