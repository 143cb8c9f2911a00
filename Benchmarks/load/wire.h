// The output of the mock upstream, so that the load generator can compare every byte of it.
#ifndef WIRE_H
#define WIRE_H

#include <stddef.h>
#include <stdint.h>

// Room for any of the texts below, and the number of digits of the time in a content event.
enum { WIRE_MAX = 512, WIRE_STAMP_DIGITS = 18 };

// Offset of these digits, the only part of an event that its reader cannot know.
extern const size_t wire_stamp_offset;

// The text of the response's message, after the number of the request.
extern const char wire_message[];

// The whole response to any request that is not a chat completion: the list of models.
extern const char wire_models[];

// Writes a response that is not a stream: about 400 bytes, with the request's number.
size_t wire_response(char *out, unsigned request);

// Number of events of one stream. Their order is the role chunk, `events` content chunks, the chunk with the finish
// reason, and [DONE].
static inline unsigned wire_event_count(unsigned events) { return events + 3; }
static inline int wire_is_content(unsigned events, unsigned index) { return index >= 1 && index <= events; }

// Writes event `index` of that order. A content event has about 260 bytes, with the request's number, its own number,
// and `stamp`, the time of sending.
size_t wire_event(char *out, unsigned request, unsigned events, unsigned index, uint64_t stamp);

// Writes the same event as an HTTP chunk.
size_t wire_chunk(char *out, unsigned request, unsigned events, unsigned index, uint64_t stamp);

// Writes `number` with exactly `digits` digits.
void wire_digits(char *out, unsigned digits, uint64_t number);

// Returns nanoseconds of the monotonic clock, which all processes of a machine share.
uint64_t wire_now(void);

// Returns the unsigned number after `name` in a NUL-terminated text, or `otherwise` if `name` is not found.
unsigned wire_member(const char *text, const char *name, unsigned otherwise);

#endif
