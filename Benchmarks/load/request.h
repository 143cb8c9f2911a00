// The request of the load generator: created once, then only its number changes.
#ifndef REQUEST_H
#define REQUEST_H

#include <stddef.h>

typedef struct {
    char bytes[2048];
    size_t size, number_offset;
} Request;

// Creates the request. Its message, which every proxy forwards unchanged, describes the response.
void request_make(
    Request *request, unsigned port, const char *key, unsigned events, unsigned interval_ms, unsigned burst);
void request_number(Request *request, unsigned number);

#endif
