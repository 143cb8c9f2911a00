// The request of the load generator: made once, then only its number changes.
#ifndef REQUEST_H
#define REQUEST_H

#include <stddef.h>

typedef struct {
    char bytes[2048];
    size_t size, number_offset;
} Request;

// What the response shall be stands in the message, which every proxy hands on as it is.
void request_make(
    Request *request, unsigned port, const char *key, unsigned events, unsigned interval_ms, unsigned burst);
void request_number(Request *request, unsigned number);

#endif
