// Reads the reply to one request and compares it with what the mock upstream sent.
#ifndef REPLY_H
#define REPLY_H

#include <stddef.h>
#include <stdint.h>

typedef enum { REPLY_HEAD, REPLY_FIXED, REPLY_CHUNK_SIZE, REPLY_CHUNK, REPLY_CHUNK_END, REPLY_DONE } ReplyState;

typedef struct {
    ReplyState state;
    // What was asked for: `events` 0 is no stream.
    unsigned request, events;
    // Whether the proxy writes the JSON anew, so that only the contents and their order can be compared.
    int contents_only;
    // Events that have arrived whole, the role chunk included.
    unsigned event;
    // Bytes of the current event (or of the whole answer) that have arrived.
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
} Reply;

void reply_begin(Reply *reply, unsigned request, unsigned events, int contents_only);

// Takes bytes as they come. Returns 0 when they are not what was expected, and sets `fault`.
int reply_receive(Reply *reply, const char *bytes, size_t size);

// Called for each content event, when all of it is there. Defined by the load generator.
void reply_content(const Reply *reply);

// Compares part of a body; `contents_end` is asked at its end. For `contents_only`; see contents.c.
int contents_match(Reply *reply, const char *bytes, size_t size);
int contents_end(Reply *reply);

#endif
