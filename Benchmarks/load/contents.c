// The check for a proxy that parses the upstream's JSON and writes its own: all contents, each once and in order.
#define _GNU_SOURCE
#include "response.h"
#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(Response *response, const char *fault) {
    response->fault = fault;
    return 0;
}

// Handles one line of a stream. It is a content event if it contains the numbers of the next one.
static int take_line(Response *response) {
    char numbers[32];
    response->text[response->text_length] = 0;
    response->text_length = 0;
    if (strncmp(response->text, "data:", 5) != 0) return 1;
    if (strstr(response->text, "[DONE]")) {
        if (response->event <= response->events) return fail(response, "a stream that lacks events");
        response->event = wire_event_count(response->events);
        return 1;
    }
    // The first event can be the role or, if a proxy omits the role, the first content.
    if (response->event == 0) response->event = 1;
    sprintf(numbers, "%08u.%06u.", response->request, response->event);
    char *content = strstr(response->text, numbers), *other = strstr(response->text, "\"content\":\"0");
    if (!content) return other ? fail(response, "a content that is not the next one") : 1;
    response->stamp = strtoull(content + strlen(numbers), NULL, 10);
    response_content(response);
    response->event++;
    return 1;
}

int contents_match(Response *response, const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (response->text_length + 1 >= sizeof response->text) return fail(response, "a line that is too long");
        response->text[response->text_length++] = bytes[i];
        if (bytes[i] == '\n' && response->events > 0 && !take_line(response)) return 0;
    }
    return 1;
}

int contents_end(Response *response) {
    if (response->events > 0) return response->event == wire_event_count(response->events);
    char message[256];
    response->text[response->text_length] = 0;
    sprintf(message, "\"content\":\"%08u%s\"", response->request, wire_message);
    return strstr(response->text, message) != NULL;
}
