// What the mock upstream sends, so that the load generator can compare every byte of it.
#ifndef WIRE_H
#define WIRE_H

#include <stddef.h>
#include <stdint.h>

// Room for any of the texts below, and the digits of the time in a content event.
enum { WIRE_MAX = 512, WIRE_STAMP_DIGITS = 18 };

// Where these digits begin. They are the only part of an event that its reader cannot know.
extern const size_t wire_stamp_offset;

// The text of the response's message, after the number of the request.
extern const char wire_message[];

// The whole response to any request that is no chat completion: the list of models.
extern const char wire_models[];

// Writes the response to a request that is no stream: about 400 bytes that carry the request's number.
size_t wire_response(char *out, unsigned request);

// The events of one stream, in the order in which they are sent: the role chunk, `events` content chunks, the chunk
// with the finish reason, and [DONE].
static inline unsigned wire_event_count(unsigned events) { return events + 3; }
static inline int wire_is_content(unsigned events, unsigned index) { return index >= 1 && index <= events; }

// Writes event `index` of that order. A content event, about 260 bytes, carries the request's number, its own, and
// `stamp`: when it was sent.
size_t wire_event(char *out, unsigned request, unsigned events, unsigned index, uint64_t stamp);

// The same as an HTTP chunk.
size_t wire_chunk(char *out, unsigned request, unsigned events, unsigned index, uint64_t stamp);

// Writes `number` with exactly that many digits.
void wire_digits(char *out, unsigned digits, uint64_t number);

// Nanoseconds on the monotonic clock, which all processes of a machine share.
uint64_t wire_now(void);

// The unsigned number after `name` in a NUL-terminated text, or `otherwise` where the name is not found.
unsigned wire_member(const char *text, const char *name, unsigned otherwise);

#endif
