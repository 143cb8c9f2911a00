#define _GNU_SOURCE
#include "request.h"

#include "wire.h"

#include <stdio.h>
#include <string.h>

static const char number_mark[] = "request=";

void request_make(
    Request *request, unsigned port, const char *key, unsigned events, unsigned interval_ms, unsigned burst) {
    char body[1024];
    int length = snprintf(
        body, sizeof body,
        "{\"model\":\"mock\",\"messages\":[{\"role\":\"system\",\"content\":\"You are a helpful assistant.\"},"
        "{\"role\":\"user\",\"content\":\"What is a headgate, and what stands behind it? %s00000000 events=%u "
        "interval_ms=%u burst=%u\"}],\"temperature\":0.7,\"max_tokens\":256,\"stream\":%s}",
        number_mark, events, interval_ms, burst, events > 0 ? "true" : "false");
    request->size = (size_t)snprintf(
        request->bytes, sizeof request->bytes,
        "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nAuthorization: Bearer %s\r\nUser-Agent: load/1\r\n"
        "Accept: */*\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
        port, key, length, body);
    request->number_offset = (size_t)(strstr(request->bytes, number_mark) - request->bytes) + sizeof number_mark - 1;
}

void request_number(Request *request, unsigned number) {
    wire_digits(request->bytes + request->number_offset, 8, number);
}
