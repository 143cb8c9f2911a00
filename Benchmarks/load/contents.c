// The check for a proxy that reads the upstream's JSON and writes its own: all contents, each once, in their order.
#define _GNU_SOURCE
#include "reply.h"
#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(Reply *reply, const char *fault) {
    reply->fault = fault;
    return 0;
}

// One line of a stream: a content event when it holds the next one's numbers, else anything else's.
static int take_line(Reply *reply) {
    char numbers[32];
    reply->text[reply->text_length] = 0;
    reply->text_length = 0;
    if (strncmp(reply->text, "data:", 5) != 0) return 1;
    if (strstr(reply->text, "[DONE]")) {
        if (reply->event <= reply->events) return fail(reply, "a stream that lacks events");
        reply->event = wire_event_count(reply->events);
        return 1;
    }
    // The first event may be the role or, where a proxy leaves that out, the first content.
    if (reply->event == 0) reply->event = 1;
    sprintf(numbers, "%08u.%06u.", reply->request, reply->event);
    char *content = strstr(reply->text, numbers), *other = strstr(reply->text, "\"content\":\"0");
    if (!content) return other ? fail(reply, "a content that is not the next one") : 1;
    reply->stamp = strtoull(content + strlen(numbers), NULL, 10);
    reply_content(reply);
    reply->event++;
    return 1;
}

int contents_match(Reply *reply, const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (reply->text_length + 1 >= sizeof reply->text) return fail(reply, "a line that is too long");
        reply->text[reply->text_length++] = bytes[i];
        if (bytes[i] == '\n' && reply->events > 0 && !take_line(reply)) return 0;
    }
    return 1;
}

int contents_end(Reply *reply) {
    if (reply->events > 0) return reply->event == wire_event_count(reply->events);
    char message[256];
    reply->text[reply->text_length] = 0;
    sprintf(message, "\"content\":\"%08u%s\"", reply->request, wire_message);
    return strstr(reply->text, message) != NULL;
}
