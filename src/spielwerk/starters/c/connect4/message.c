/* Messages, and requests to the index server. (MIT licence) */
#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 10 }; /* seconds for an answer */

/* strtok would take two semicolons for one, and lose a part that is empty. */
char *next_part(char **message)
{
    char *part = *message, *semicolon = part ? strchr(part, ';') : NULL;
    if (semicolon)
        *semicolon = '\0';
    *message = semicolon ? semicolon + 1 : NULL;
    return part;
}

bool next_number(char **message, int *number)
{
    const char *part = next_part(message);
    size_t length = part ? strspn(part, "0123456789") : 0;
    if (length == 0 || length > 9 || part[length] != '\0')
        return false;
    *number = atoi(part);
    return true;
}

char *ask_index(struct index_server *index, const char *format, ...)
{
    char request[4096];
    va_list values;
    va_start(values, format);
    vsnprintf(request, sizeof request, format, values);
    va_end(values);
    struct connection *connection = &index->connection;
    if (!connection_open(connection, index->host, index->port))
        return NULL;
    connection_patience(connection, PATIENCE);
    char *answer = NULL;
    if (connection_send(connection, "%s", request))
        answer = connection_receive(connection);
    connection_close(connection);
    return answer; /* it is still in the connection's buffer */
}
