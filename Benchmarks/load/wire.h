// What the mock upstream sends, so that the load generator can compare every byte of it.
#ifndef WIRE_H
#define WIRE_H

#include <stddef.h>
#include <stdint.h>

// Room for any of the texts below.
enum { WIRE_MAX = 512 };

// Writes the answer to a request that is no stream: about 400 bytes that carry the request's number.
size_t wire_answer(char *out, unsigned request);

// The events of one stream, in the order in which they are sent: the role chunk, `events` content chunks, the chunk
// with the finish reason, and [DONE].
static inline unsigned wire_event_count(unsigned events) { return events + 3; }

// Writes event `index` of that order, about 240 bytes that carry the request's number and the event's.
size_t wire_event(char *out, unsigned request, unsigned events, unsigned index);

// Nanoseconds on the monotonic clock.
uint64_t wire_now(void);

// The unsigned number after `name` in a NUL-terminated text, or `otherwise` where the name is not found.
unsigned wire_member(const char *text, const char *name, unsigned otherwise);

#endif
