#define _GNU_SOURCE
#include "response.h"

#include "wire.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void response_begin(Response *response, unsigned request, unsigned events, int contents_only) {
    memset(response, 0, offsetof(Response, line));
    response->request = request;
    response->events = events;
    response->contents_only = contents_only;
}

static int fail(Response *response, const char *fault) {
    response->fault = fault;
    return 0;
}

static int is_whole(const Response *response) {
    return response->event == (response->events > 0 ? wire_event_count(response->events) : 1);
}

static size_t expected(const Response *response, char *out) {
    if (response->events == 0) return wire_response(out, response->request);
    return wire_event(out, response->request, response->events, response->event, 0);
}

static int read_digits(Response *response, const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] < '0' || bytes[i] > '9') return 0;
        response->stamp = response->stamp * 10 + (uint64_t)(bytes[i] - '0');
    }
    return 1;
}

// Compares `size` bytes, which end at the latest with the expected text. Digits of the time are read, not compared.
static int match_part(Response *response, const char *text, const char *bytes, size_t size) {
    int is_content = wire_is_content(response->events, response->event);
    while (size > 0) {
        size_t part = size, digits = wire_stamp_offset, after = digits + WIRE_STAMP_DIGITS, place = response->matched;
        int is_stamp = is_content && place >= digits && place < after;
        if (is_content && place < after && part > (is_stamp ? after : digits) - place)
            part = (is_stamp ? after : digits) - place;
        if (is_stamp ? !read_digits(response, bytes, part) : memcmp(bytes, text + place, part) != 0) return 0;
        bytes += part;
        size -= part;
        response->matched += part;
    }
    return 1;
}

static int match(Response *response, const char *bytes, size_t size) {
    char text[WIRE_MAX];
    if (response->contents_only) return contents_match(response, bytes, size);
    while (size > 0) {
        if (is_whole(response)) return fail(response, "bytes after the end of the body");
        size_t length = expected(response, text), part = length - response->matched;
        if (part > size) part = size;
        if (!match_part(response, text, bytes, part)) return fail(response, "a body that is not the upstream's");
        bytes += part;
        size -= part;
        if (response->matched < length) continue;
        if (wire_is_content(response->events, response->event)) response_content(response);
        response->matched = 0;
        response->stamp = 0;
        response->event++;
    }
    return 1;
}

static int end(Response *response) {
    int is_all = response->contents_only ? contents_end(response) : is_whole(response);
    if (!is_all) return fail(response, "a body that ends too early");
    response->state = RESPONSE_DONE;
    return 1;
}

// Appends bytes to the line, up to its newline. Returns the number of bytes taken, or 0 if the line is too long.
static size_t take_line(Response *response, const char *bytes, size_t size) {
    const char *newline = memchr(bytes, '\n', size);
    size_t taken = newline ? (size_t)(newline - bytes) + 1 : size;
    if (response->line_length + taken >= sizeof response->line) return 0;
    memcpy(response->line + response->line_length, bytes, taken);
    response->line_length += taken;
    response->line[response->line_length] = 0;
    return taken;
}

static int ends_with(const Response *response, const char *ending, size_t length) {
    size_t held = response->line_length;
    return held >= length && memcmp(response->line + held - length, ending, length) == 0;
}

static int read_head(Response *response) {
    if (strncmp(response->line, "HTTP/1.1 200 ", 13) != 0) return fail(response, "a status that is not 200");
    const char *length = strcasestr(response->line, "\r\ncontent-length:");
    int is_chunked = strcasestr(response->line, "\r\ntransfer-encoding: chunked") != NULL;
    response->line_length = 0;
    if ((length != NULL) == is_chunked || (!response->contents_only && (response->events > 0) != is_chunked))
        return fail(response, "an unexpected framing");
    response->rest = length ? strtoul(length + 17, NULL, 10) : 0;
    response->state = is_chunked ? RESPONSE_CHUNK_SIZE : RESPONSE_FIXED;
    return 1;
}

static int read_chunk_size(Response *response) {
    char *stop;
    response->rest = strtoul(response->line, &stop, 16);
    if (stop == response->line) return fail(response, "a chunk size that is no number");
    response->line_length = 0;
    response->state = response->rest > 0 ? RESPONSE_CHUNK : RESPONSE_CHUNK_END;
    return 1;
}

static int read_chunk_end(Response *response, int was_last) {
    if (response->line_length != 2) return fail(response, "a chunk that does not end where it should");
    response->line_length = 0;
    response->state = RESPONSE_CHUNK_SIZE;
    return was_last ? end(response) : 1;
}

int response_receive(Response *response, const char *bytes, size_t size) {
    while (size > 0) {
        size_t taken;
        int goes_on = 1;
        switch (response->state) {
        case RESPONSE_HEAD:
            if ((taken = take_line(response, bytes, size)) == 0) return fail(response, "a head that is too long");
            if (ends_with(response, "\r\n\r\n", 4)) goes_on = read_head(response);
            break;
        case RESPONSE_FIXED:
        case RESPONSE_CHUNK:
            taken = size < response->rest ? size : response->rest;
            response->rest -= taken;
            goes_on = match(response, bytes, taken);
            if (goes_on && response->rest == 0) {
                if (response->state == RESPONSE_FIXED) goes_on = end(response);
                // This value distinguishes the end of a chunk from the end of the last chunk.
                else response->state = RESPONSE_CHUNK_END, response->rest = 1;
            }
            break;
        case RESPONSE_CHUNK_SIZE:
        case RESPONSE_CHUNK_END:
            if ((taken = take_line(response, bytes, size)) == 0) return fail(response, "a line that is too long");
            if (!ends_with(response, "\r\n", 2)) break;
            if (response->state == RESPONSE_CHUNK_SIZE) goes_on = read_chunk_size(response);
            else goes_on = read_chunk_end(response, response->rest == 0);
            break;
        default: return fail(response, "bytes after the end of the message");
        }
        if (!goes_on) return 0;
        bytes += taken;
        size -= taken;
    }
    return 1;
}
