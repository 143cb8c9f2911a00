#include "wire.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHUNK_START \
    "data: {\"id\":\"chatcmpl-benchmark\",\"object\":\"chat.completion.chunk\",\"created\":1760000000," \
    "\"model\":\"mock\",\"system_fingerprint\":\"fp_benchmark\",\"choices\":[{\"index\":0,\"delta\":"
#define CHUNK_END(reason) ",\"logprobs\":null,\"finish_reason\":" reason "}]}\n\n"
#define CONTENT_START CHUNK_START "{\"content\":\""
#define MESSAGE ": A headgate stands at the head of a canal and decides what flows into it, and how fast."
#define ANSWER_START \
    "{\"id\":\"chatcmpl-benchmark\",\"object\":\"chat.completion\",\"created\":1760000000,\"model\":\"mock\"," \
    "\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\""

static const char role_event[] = CHUNK_START "{\"role\":\"assistant\",\"content\":\"\"}" CHUNK_END("null");
// The digits are the request's number, the event's number, and the time of sending.
static const char content_event[] = CONTENT_START "00000000.000000.000000000000000000\"}" CHUNK_END("null");
static const char finish_event[] = CHUNK_START "{}" CHUNK_END("\"stop\"");
static const char done_event[] = "data: [DONE]\n\n";
static const char response[] =
    ANSWER_START "00000000" MESSAGE "\",\"refusal\":null},\"logprobs\":null,\"finish_reason\":\"stop\"}],"
    "\"usage\":{\"prompt_tokens\":21,\"completion_tokens\":19,\"total_tokens\":40},"
    "\"system_fingerprint\":\"fp_benchmark\"}";

enum { CONTENT_OFFSET = sizeof CONTENT_START - 1 };
const size_t wire_stamp_offset = CONTENT_OFFSET + 16;
const char wire_message[] = MESSAGE;
const char wire_models[] =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 91\r\n\r\n"
    "{\"object\":\"list\",\"data\":[{\"id\":\"mock\",\"object\":\"model\",\"created\":0,"
    "\"owned_by\":\"benchmark\"}]}\n";

void wire_digits(char *out, unsigned digits, uint64_t number) {
    for (char *place = out + digits; place > out; number /= 10) *--place = (char)('0' + number % 10);
}

static size_t copy(char *out, const char *text, size_t size) {
    memcpy(out, text, size);
    return size - 1;
}

size_t wire_response(char *out, unsigned request) {
    size_t length = copy(out, response, sizeof response);
    wire_digits(out + sizeof ANSWER_START - 1, 8, request);
    return length;
}

size_t wire_event(char *out, unsigned request, unsigned events, unsigned index, uint64_t stamp) {
    if (index == 0) return copy(out, role_event, sizeof role_event);
    if (index == events + 1) return copy(out, finish_event, sizeof finish_event);
    if (index > events) return copy(out, done_event, sizeof done_event);
    size_t length = copy(out, content_event, sizeof content_event);
    wire_digits(out + CONTENT_OFFSET, 8, request);
    wire_digits(out + CONTENT_OFFSET + 9, 6, index);
    if (stamp > 0) wire_digits(out + CONTENT_OFFSET + 16, WIRE_STAMP_DIGITS, stamp);
    return length;
}

size_t wire_chunk(char *out, unsigned request, unsigned events, unsigned index, uint64_t stamp) {
    static const char hex[] = "0123456789abcdef";
    char event[WIRE_MAX], *place = out;
    size_t length = wire_event(event, request, events, index, stamp);
    if (length >= 256) *place++ = hex[length >> 8];
    if (length >= 16) *place++ = hex[length >> 4 & 15];
    *place++ = hex[length & 15];
    memcpy(place, "\r\n", 2);
    memcpy(place + 2, event, length);
    memcpy(place + 2 + length, "\r\n", 2);
    return (size_t)(place - out) + length + 4;
}

uint64_t wire_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

unsigned wire_member(const char *text, const char *name, unsigned otherwise) {
    const char *found = strstr(text, name);
    return found ? (unsigned)strtoul(found + strlen(name), NULL, 10) : otherwise;
}
