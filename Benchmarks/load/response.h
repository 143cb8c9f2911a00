// Reads the response to one request and compares it with what the mock upstream sent.
#ifndef RESPONSE_H
#define RESPONSE_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    RESPONSE_HEAD,
    RESPONSE_FIXED,
    RESPONSE_CHUNK_SIZE,
    RESPONSE_CHUNK,
    RESPONSE_CHUNK_END,
    RESPONSE_DONE
} ResponseState;

typedef struct {
    ResponseState state;
    // What was asked for: `events` 0 is no stream.
    unsigned request, events;
    // Whether the proxy writes the JSON anew, so that only the contents and their order can be compared.
    int contents_only;
    // Events that have arrived whole, the role chunk included.
    unsigned event;
    // Bytes of the current event (or of the whole response) that have arrived.
    size_t matched;
    // When the current event was sent, as far as its digits have arrived.
    uint64_t stamp;
    // Bytes of the body or of the chunk that are still to come.
    size_t rest;
    // Why it is wrong, or NULL.
    const char *fault;
    size_t line_length, text_length;
    // A line of the framing; with `contents_only` a line of the body too.
    char line[2048], text[2048];
} Response;

void response_begin(Response *response, unsigned request, unsigned events, int contents_only);

// Takes bytes as they come. Returns 0 when they are not what was expected, and sets `fault`.
int response_receive(Response *response, const char *bytes, size_t size);

// Called for each content event, when all of it is there. Defined by the load generator.
void response_content(const Response *response);

// Compares part of a body; `contents_end` is asked at its end. For `contents_only`; see contents.c.
int contents_match(Response *response, const char *bytes, size_t size);
int contents_end(Response *response);

#endif
