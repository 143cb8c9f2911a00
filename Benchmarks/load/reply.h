// Reads the reply to one request and compares every byte of it with what the mock upstream sent.
#ifndef REPLY_H
#define REPLY_H

#include <stddef.h>

typedef enum { REPLY_HEAD, REPLY_FIXED, REPLY_CHUNK_SIZE, REPLY_CHUNK, REPLY_CHUNK_END, REPLY_DONE } ReplyState;

typedef struct {
    ReplyState state;
    // What was asked for: `events` 0 is no stream.
    unsigned request, events;
    // Events that have arrived whole, the role chunk included.
    unsigned event;
    // Bytes of the current event (or of the whole answer) that have arrived.
    size_t matched;
    // Bytes of the body or of the chunk that are still to come.
    size_t rest;
    char line[2048];
    size_t line_length;
    // Why it is wrong, or NULL.
    const char *fault;
} Reply;

void reply_begin(Reply *reply, unsigned request, unsigned events);

// Takes bytes as they come. Returns 0 when they are not what was expected, and sets `fault`.
int reply_receive(Reply *reply, const char *bytes, size_t size);

#endif
