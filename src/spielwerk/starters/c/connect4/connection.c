/* The connection: lines out, lines in. (MIT licence)
 *
 * TCP carries a stream of bytes, not lines: one recv may bring half a line or three of them. So
 * what has come is kept until a newline ends it.
 */
#include "connection.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

bool connection_open(struct connection *connection, const char *host, const char *port)
{
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *addresses;
    int error = getaddrinfo(host, port, &hints, &addresses), found = -1;
    if (error != 0) {
        fprintf(stderr, "%s:%s: %s\n", host, port, gai_strerror(error));
        return false;
    }
    for (struct addrinfo *one = addresses; one && found < 0; one = one->ai_next) {
        int tried = socket(one->ai_family, one->ai_socktype, one->ai_protocol);
        if (tried >= 0 && connect(tried, one->ai_addr, one->ai_addrlen) == 0)
            found = tried;
        else if (tried >= 0)
            close(tried);
    }
    freeaddrinfo(addresses);
    if (found < 0) {
        fprintf(stderr, "no one listens at %s:%s\n", host, port);
        return false;
    }
    connection_take(connection, found);
    return true;
}

void connection_take(struct connection *connection, int socket)
{
    int yes = 1;                          /* short lines leave at once */
    struct timeval time = {.tv_sec = 10}; /* the other side may have stopped reading */
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
    connection->socket = socket;
    connection->filled = connection->used = 0;
}

void connection_patience(struct connection *connection, int seconds)
{
    struct timeval time = {.tv_sec = seconds};
    setsockopt(connection->socket, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
}

bool connection_send(struct connection *connection, const char *format, ...)
{
    char line[4096];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(line, sizeof line - 1, format, values);
    va_end(values);
    if (length < 0 || length >= (int)sizeof line - 1) {
        fprintf(stderr, "a line is too long to be sent\n");
        return false;
    }
    line[length++] = '\n';
    return connection_send_bytes(connection, line, length);
}

bool connection_send_bytes(struct connection *connection, const char *bytes, size_t length)
{
    while (length > 0) { /* send may take less than it is given */
        ssize_t some = send(connection->socket, bytes, length, MSG_NOSIGNAL);
        if (some < 0) {
            perror("send");
            return false;
        }
        bytes += some;
        length -= some;
    }
    return true;
}

char *connection_line(struct connection *connection)
{
    char *buffer = connection->buffer;
    connection->filled -= connection->used; /* the line before is done with */
    memmove(buffer, buffer + connection->used, connection->filled);
    connection->used = 0;
    char *newline = memchr(buffer, '\n', connection->filled);
    if (!newline)
        return NULL;
    *newline = '\0';
    connection->used = newline - buffer + 1;
    return buffer;
}

bool connection_fill(struct connection *connection)
{
    size_t room = LONGEST - connection->filled; /* if there is none, the line is too long */
    char *end = connection->buffer + connection->filled;
    ssize_t some = room > 0 ? recv(connection->socket, end, room, 0) : -1;
    if (some > 0)
        connection->filled += some;
    return some > 0;
}

char *connection_receive(struct connection *connection)
{
    char *line;
    while (!(line = connection_line(connection)))
        if (!connection_fill(connection)) {
            fprintf(stderr, "the other side closed the connection, or said nothing in time\n");
            return NULL;
        }
    return line;
}

void connection_close(struct connection *connection)
{
    /* If bytes that were not read are left when a socket is closed, the other side gets a reset,
     * and may lose our last line. */
    shutdown(connection->socket, SHUT_WR);
    char scrap[4096]; /* not the buffer: it may have lines that were not taken yet */
    while (recv(connection->socket, scrap, sizeof scrap, MSG_DONTWAIT) > 0)
        continue;
    close(connection->socket);
    connection->socket = -1;
}
