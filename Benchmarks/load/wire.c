#include "wire.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHUNK_START \
    "data: {\"id\":\"chatcmpl-benchmark\",\"object\":\"chat.completion.chunk\",\"created\":1760000000," \
    "\"model\":\"mock\",\"system_fingerprint\":\"fp_benchmark\",\"choices\":[{\"index\":0,\"delta\":"
#define CHUNK_END(reason) ",\"logprobs\":null,\"finish_reason\":" reason "}]}\n\n"

static const char role_event[] = CHUNK_START "{\"role\":\"assistant\",\"content\":\"\"}" CHUNK_END("null");
static const char content_event[] = CHUNK_START "{\"content\":\"@@@@@@@@.######\"}" CHUNK_END("null");
static const char finish_event[] = CHUNK_START "{}" CHUNK_END("\"stop\"");
static const char done_event[] = "data: [DONE]\n\n";
static const char answer[] =
    "{\"id\":\"chatcmpl-benchmark\",\"object\":\"chat.completion\",\"created\":1760000000,\"model\":\"mock\","
    "\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"@@@@@@@@: A headgate stands at the "
    "head of a canal and decides what flows into it, and how fast.\",\"refusal\":null},\"logprobs\":null,"
    "\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":21,\"completion_tokens\":19,\"total_tokens\":40},"
    "\"system_fingerprint\":\"fp_benchmark\"}";

// Replaces a run of placeholders by a number of that many digits.
static void fill(char *text, char placeholder, unsigned number) {
    char *first = strchr(text, placeholder), *place = first;
    while (*place == placeholder) place++;
    while (place > first) {
        *--place = (char)('0' + number % 10);
        number /= 10;
    }
}

static size_t copy(char *out, const char *text, size_t size) {
    memcpy(out, text, size);
    return size - 1;
}

size_t wire_answer(char *out, unsigned request) {
    size_t length = copy(out, answer, sizeof answer);
    fill(out, '@', request);
    return length;
}

size_t wire_event(char *out, unsigned request, unsigned events, unsigned index) {
    if (index == 0) return copy(out, role_event, sizeof role_event);
    if (index == events + 1) return copy(out, finish_event, sizeof finish_event);
    if (index > events) return copy(out, done_event, sizeof done_event);
    size_t length = copy(out, content_event, sizeof content_event);
    fill(out + sizeof CHUNK_START - 1, '@', request);
    fill(out + sizeof CHUNK_START - 1, '#', index);
    return length;
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
