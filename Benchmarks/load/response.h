// Reads the response to one request, and compares it with the mock upstream's output.
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
    // The requested response; with `events` 0 it is not a stream.
    unsigned request, events;
    // Whether the proxy rewrites the JSON, so that only the contents and their order can be compared.
    int contents_only;
    // Number of complete events, including the role chunk.
    unsigned event;
    // Number of bytes received of the current event, or of the whole response if it is not a stream.
    size_t matched;
    // When the current event was sent, as far as its digits have arrived.
    uint64_t stamp;
    // Number of remaining bytes of the body or of the chunk.
    size_t rest;
    // Description of the fault, or NULL.
    const char *fault;
    size_t line_length, text_length;
    // A line of the framing, and with `contents_only` a line of the body.
    char line[2048], text[2048];
} Response;

void response_begin(Response *response, unsigned request, unsigned events, int contents_only);

// Processes received bytes. Returns 0 and sets `fault` if they are not the expected ones.
int response_receive(Response *response, const char *bytes, size_t size);

// Called for each complete content event. Defined by the load generator.
void response_content(const Response *response);

// Functions for `contents_only`, in contents.c: `contents_match` checks part of a body, `contents_end` its end.
int contents_match(Response *response, const char *bytes, size_t size);
int contents_end(Response *response);

#endif
