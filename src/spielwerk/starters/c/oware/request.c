/* Reading a request. (MIT licence)
 *
 * TCP carries a stream of bytes, not lines: one recv may bring half a line or all four. So we look
 * for newlines in what has come so far, and ask for more until there are enough.
 */
#include "request.h"

#include <string.h>
#include <sys/socket.h>

/* Take the lines out of what has come; where the line begins that has no end yet. */
static size_t find_lines(struct request *request, size_t begin, size_t filled)
{
    while (request->count < LINES) {
        const char *text = request->buffer + begin;
        const char *newline = memchr(text, '\n', filled - begin);
        if (!newline || newline - text > LONGEST)
            break;
        request->lines[request->count++] = (struct line){text, newline - text};
        begin += newline - text + 1;
    }
    return begin;
}

void request_read(struct request *request, int client)
{
    size_t begin = 0, filled = 0;
    request->count = 0;
    while (request->count < LINES && filled - begin <= LONGEST) {
        size_t room = sizeof request->buffer - filled;
        ssize_t some = recv(client, request->buffer + filled, room, 0);
        if (some <= 0)
            return; /* closed, or silent for too long: what has come is judged */
        filled += some;
        begin = find_lines(request, begin, filled);
    }
}
