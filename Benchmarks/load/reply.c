#define _GNU_SOURCE
#include "reply.h"

#include "wire.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void reply_begin(Reply *reply, unsigned request, unsigned events) {
    memset(reply, 0, offsetof(Reply, line));
    reply->request = request;
    reply->events = events;
    reply->line_length = 0;
    reply->fault = NULL;
}

static int fail(Reply *reply, const char *fault) {
    reply->fault = fault;
    return 0;
}

static int is_whole(const Reply *reply) {
    return reply->event == (reply->events > 0 ? wire_event_count(reply->events) : 1);
}

static size_t expected(const Reply *reply, char *out) {
    if (reply->events == 0) return wire_answer(out, reply->request);
    return wire_event(out, reply->request, reply->events, reply->event);
}

static int match(Reply *reply, const char *bytes, size_t size) {
    char text[WIRE_MAX];
    while (size > 0) {
        if (is_whole(reply)) return fail(reply, "bytes after the end of the body");
        size_t length = expected(reply, text), part = length - reply->matched;
        if (part > size) part = size;
        if (memcmp(bytes, text + reply->matched, part) != 0) return fail(reply, "a body that is not the upstream's");
        bytes += part;
        size -= part;
        reply->matched += part;
        if (reply->matched == length) {
            reply->matched = 0;
            reply->event++;
        }
    }
    return 1;
}

static int end(Reply *reply) {
    if (!is_whole(reply)) return fail(reply, "a body that ends too early");
    reply->state = REPLY_DONE;
    return 1;
}

// Collects a line of at most sizeof(line) - 1 bytes up to `ending`, and returns the bytes taken.
static size_t take_until(Reply *reply, const char *bytes, size_t size, const char *ending) {
    size_t taken = 0, length = strlen(ending);
    while (taken < size && reply->line_length + 1 < sizeof reply->line) {
        reply->line[reply->line_length++] = bytes[taken++];
        if (reply->line_length < length) continue;
        if (memcmp(reply->line + reply->line_length - length, ending, length) == 0) break;
    }
    reply->line[reply->line_length] = 0;
    return taken;
}

static int line_is_whole(const Reply *reply, const char *ending) {
    size_t length = strlen(ending);
    return reply->line_length >= length && strcmp(reply->line + reply->line_length - length, ending) == 0;
}

static int read_head(Reply *reply) {
    if (strncmp(reply->line, "HTTP/1.1 200 ", 13) != 0) return fail(reply, "a status that is not 200");
    const char *length = strcasestr(reply->line, "\r\ncontent-length:");
    int is_chunked = strcasestr(reply->line, "\r\ntransfer-encoding: chunked") != NULL;
    reply->line_length = 0;
    if ((reply->events > 0) != is_chunked || (length != NULL) == is_chunked)
        return fail(reply, "an unexpected framing");
    reply->rest = length ? strtoul(length + 17, NULL, 10) : 0;
    reply->state = is_chunked ? REPLY_CHUNK_SIZE : REPLY_FIXED;
    return 1;
}

static int read_chunk_size(Reply *reply) {
    char *stop;
    reply->rest = strtoul(reply->line, &stop, 16);
    if (stop == reply->line) return fail(reply, "a chunk size that is no number");
    reply->line_length = 0;
    reply->state = reply->rest > 0 ? REPLY_CHUNK : REPLY_CHUNK_END;
    return 1;
}

static int read_chunk_end(Reply *reply, int was_last) {
    if (reply->line_length != 2) return fail(reply, "a chunk that does not end where it should");
    reply->line_length = 0;
    reply->state = REPLY_CHUNK_SIZE;
    return was_last ? end(reply) : 1;
}

int reply_receive(Reply *reply, const char *bytes, size_t size) {
    while (size > 0) {
        size_t taken;
        int goes_on = 1;
        switch (reply->state) {
        case REPLY_HEAD:
            taken = take_until(reply, bytes, size, "\r\n\r\n");
            if (line_is_whole(reply, "\r\n\r\n")) goes_on = read_head(reply);
            else if (taken < size) return fail(reply, "a head that is too long");
            break;
        case REPLY_FIXED:
        case REPLY_CHUNK:
            taken = size < reply->rest ? size : reply->rest;
            reply->rest -= taken;
            goes_on = match(reply, bytes, taken);
            if (goes_on && reply->rest == 0) {
                if (reply->state == REPLY_FIXED) goes_on = end(reply);
                // Told from the end of the last chunk by this mark.
                else reply->state = REPLY_CHUNK_END, reply->rest = 1;
            }
            break;
        case REPLY_CHUNK_SIZE:
        case REPLY_CHUNK_END:
            taken = take_until(reply, bytes, size, "\r\n");
            if (!line_is_whole(reply, "\r\n")) {
                if (taken < size) return fail(reply, "a line that is too long");
            } else if (reply->state == REPLY_CHUNK_SIZE) {
                goes_on = read_chunk_size(reply);
            } else {
                goes_on = read_chunk_end(reply, reply->rest == 0);
            }
            break;
        default: return fail(reply, "bytes after the end of the message");
        }
        if (!goes_on) return 0;
        bytes += taken;
        size -= taken;
    }
    return 1;
}
