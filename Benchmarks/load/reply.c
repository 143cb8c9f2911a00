#define _GNU_SOURCE
#include "reply.h"

#include "wire.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void reply_begin(Reply *reply, unsigned request, unsigned events, int contents_only) {
    memset(reply, 0, offsetof(Reply, line));
    reply->request = request;
    reply->events = events;
    reply->contents_only = contents_only;
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
    return wire_event(out, reply->request, reply->events, reply->event, 0);
}

static int read_digits(Reply *reply, const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] < '0' || bytes[i] > '9') return 0;
        reply->stamp = reply->stamp * 10 + (uint64_t)(bytes[i] - '0');
    }
    return 1;
}

// Compares `size` bytes, which go no further than the end of the expected text, all but the time that it carries.
static int match_part(Reply *reply, const char *text, const char *bytes, size_t size) {
    int is_content = wire_is_content(reply->events, reply->event);
    while (size > 0) {
        size_t part = size, digits = wire_stamp_offset, after = digits + WIRE_STAMP_DIGITS, place = reply->matched;
        int is_stamp = is_content && place >= digits && place < after;
        if (is_content && place < after && part > (is_stamp ? after : digits) - place)
            part = (is_stamp ? after : digits) - place;
        if (is_stamp ? !read_digits(reply, bytes, part) : memcmp(bytes, text + place, part) != 0) return 0;
        bytes += part;
        size -= part;
        reply->matched += part;
    }
    return 1;
}

static int match(Reply *reply, const char *bytes, size_t size) {
    char text[WIRE_MAX];
    if (reply->contents_only) return contents_match(reply, bytes, size);
    while (size > 0) {
        if (is_whole(reply)) return fail(reply, "bytes after the end of the body");
        size_t length = expected(reply, text), part = length - reply->matched;
        if (part > size) part = size;
        if (!match_part(reply, text, bytes, part)) return fail(reply, "a body that is not the upstream's");
        bytes += part;
        size -= part;
        if (reply->matched < length) continue;
        if (wire_is_content(reply->events, reply->event)) reply_content(reply);
        reply->matched = 0;
        reply->stamp = 0;
        reply->event++;
    }
    return 1;
}

static int end(Reply *reply) {
    int is_all = reply->contents_only ? contents_end(reply) : is_whole(reply);
    if (!is_all) return fail(reply, "a body that ends too early");
    reply->state = REPLY_DONE;
    return 1;
}

// Adds to the line what is there of it, its newline included, and returns the bytes taken: 0 when it grows too long.
static size_t take_line(Reply *reply, const char *bytes, size_t size) {
    const char *newline = memchr(bytes, '\n', size);
    size_t taken = newline ? (size_t)(newline - bytes) + 1 : size;
    if (reply->line_length + taken >= sizeof reply->line) return 0;
    memcpy(reply->line + reply->line_length, bytes, taken);
    reply->line_length += taken;
    reply->line[reply->line_length] = 0;
    return taken;
}

static int ends_with(const Reply *reply, const char *ending, size_t length) {
    return reply->line_length >= length && memcmp(reply->line + reply->line_length - length, ending, length) == 0;
}

static int read_head(Reply *reply) {
    if (strncmp(reply->line, "HTTP/1.1 200 ", 13) != 0) return fail(reply, "a status that is not 200");
    const char *length = strcasestr(reply->line, "\r\ncontent-length:");
    int is_chunked = strcasestr(reply->line, "\r\ntransfer-encoding: chunked") != NULL;
    reply->line_length = 0;
    if ((length != NULL) == is_chunked || (!reply->contents_only && (reply->events > 0) != is_chunked))
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
            if ((taken = take_line(reply, bytes, size)) == 0) return fail(reply, "a head that is too long");
            if (ends_with(reply, "\r\n\r\n", 4)) goes_on = read_head(reply);
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
            if ((taken = take_line(reply, bytes, size)) == 0) return fail(reply, "a line that is too long");
            if (!ends_with(reply, "\r\n", 2)) break;
            if (reply->state == REPLY_CHUNK_SIZE) goes_on = read_chunk_size(reply);
            else goes_on = read_chunk_end(reply, reply->rest == 0);
            break;
        default: return fail(reply, "bytes after the end of the message");
        }
        if (!goes_on) return 0;
        bytes += taken;
        size -= taken;
    }
    return 1;
}
