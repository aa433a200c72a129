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
#include <unistd.h>

bool connection_open(struct connection *connection, const char *host, const char *port)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *addresses;
    int error = getaddrinfo(host, port, &hints, &addresses);
    if (error != 0) {
        fprintf(stderr, "%s:%s: %s\n", host, port, gai_strerror(error));
        return false;
    }
    *connection = (struct connection){.socket = -1};
    /* A name may have several addresses (localhost: ::1 and 127.0.0.1); one of them will do. */
    for (struct addrinfo *one = addresses; one && connection->socket < 0; one = one->ai_next) {
        int tried = socket(one->ai_family, one->ai_socktype, one->ai_protocol);
        if (tried >= 0 && connect(tried, one->ai_addr, one->ai_addrlen) == 0)
            connection->socket = tried;
        else if (tried >= 0)
            close(tried);
    }
    freeaddrinfo(addresses);
    if (connection->socket < 0) {
        fprintf(stderr, "there is no server at %s:%s\n", host, port);
        return false;
    }
    int yes = 1; /* short lines leave at once */
    setsockopt(connection->socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return true;
}

bool connection_send(struct connection *connection, const char *format, ...)
{
    char line[LONGEST];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(line, sizeof line - 1, format, values);
    va_end(values);
    if (length < 0 || length >= (int)sizeof line - 1) {
        fprintf(stderr, "a line is too long to be sent\n");
        return false;
    }
    line[length++] = '\n';
    for (int sent = 0; sent < length;) { /* send may take less than it is given */
        ssize_t some = send(connection->socket, line + sent, length - sent, MSG_NOSIGNAL);
        if (some < 0) {
            perror("send");
            return false;
        }
        sent += some;
    }
    return true;
}

char *connection_receive(struct connection *connection)
{
    char *buffer = connection->buffer, *newline;
    connection->filled -= connection->used; /* the line before is done with */
    memmove(buffer, buffer + connection->used, connection->filled);
    connection->used = 0;
    while (!(newline = memchr(buffer, '\n', connection->filled))) {
        size_t room = sizeof connection->buffer - connection->filled;
        if (room == 0) {
            fprintf(stderr, "the other side sends a line that is too long\n");
            return NULL;
        }
        ssize_t some = recv(connection->socket, buffer + connection->filled, room, 0);
        if (some <= 0) {
            fprintf(stderr, "the connection is %s\n", some < 0 ? "broken" : "closed");
            return NULL;
        }
        connection->filled += some;
    }
    *newline = '\0';
    connection->used = newline - buffer + 1;
    return buffer;
}

void connection_close(struct connection *connection)
{
    close(connection->socket);
}
