// An upstream that costs as little as possible: it responds to POST /v1/chat/completions over HTTP/1.1 with keep-alive.
//
// Words in the request's message select the response: "request=" its number, "events=" the content chunks of a stream
// (0: one JSON response), "interval_ms=" the time between writes, "burst=" the events of each write. Every event is a
// separate HTTP chunk, as common upstreams send it. The program listens on one free port of 127.0.0.1 to 127.0.0.16,
// prints the port, and serves until it is killed. With the files of a certificate and its key, it speaks TLS.
#define _GNU_SOURCE
#include "channel.h"
#include "listeners.h"
#include "start.h"
#include "timers.h"
#include "wire.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>

enum { MAX_BURST = 256, FRAME_MAX = WIRE_MAX + 16 };

typedef struct {
    Channel channel;
    Timer timer;
    char input[8192];
    size_t filled;
    // Bytes that the kernel has not taken yet.
    char *output;
    size_t output_size, output_sent;
    // The current stream: `next` runs from 0 to `count`.
    unsigned request, events, next, count, burst;
    uint64_t interval;
    int wants_writable;
} Connection;

static int epoll_descriptor;

static void close_connection(Connection *connection) {
    timers_remove(&connection->timer);
    channel_close(&connection->channel);
    free(connection->output);
    free(connection);
}

static void want_writable(Connection *connection, int wants) {
    if (connection->wants_writable == wants) return;
    connection->wants_writable = wants;
    struct epoll_event event = {.events = EPOLLIN | (wants ? EPOLLOUT : 0u), .data.ptr = connection};
    epoll_ctl(epoll_descriptor, EPOLL_CTL_MOD, connection->channel.descriptor, &event);
}

// Sends bytes, and stores those that the kernel does not take. Must only be called while nothing is stored.
static void transmit(Connection *connection, const char *bytes, size_t size) {
    size_t sent = channel_send(&connection->channel, bytes, size);
    if (sent == size) return;
    connection->output_size = size - sent;
    connection->output_sent = 0;
    connection->output = malloc(connection->output_size);
    memcpy(connection->output, bytes + sent, connection->output_size);
    want_writable(connection, 1);
}

static size_t append_event(Connection *connection, char *out, uint64_t now) {
    return wire_chunk(out, connection->request, connection->events, connection->next++, now);
}

// Sends one write of the stream: `burst` content events and, after the last of them, the end of the stream.
static void write_events(Connection *connection) {
    static char bytes[(MAX_BURST + 4) * FRAME_MAX];
    size_t size = 0;
    uint64_t now = wire_now();
    for (unsigned i = 0; i < connection->burst && connection->next <= connection->events; i++)
        size += append_event(connection, bytes + size, now);
    if (connection->next > connection->events) {
        while (connection->next < connection->count) size += append_event(connection, bytes + size, now);
        memcpy(bytes + size, "0\r\n\r\n", 5);
        size += 5;
        if (connection->interval == 0) want_writable(connection, 0);
    } else if (connection->interval > 0) {
        timers_set(&connection->timer, connection->timer.due + connection->interval);
    }
    transmit(connection, bytes, size);
}

static void respond(Connection *connection, const char *body) {
    char bytes[2048], text[WIRE_MAX];
    connection->request = wire_member(body, "request=", 0);
    connection->events = wire_member(body, "events=", 0);
    if (connection->events == 0) {
        size_t length = wire_response(text, connection->request);
        int size = sprintf(
            bytes, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n", length);
        memcpy(bytes + size, text, length);
        return transmit(connection, bytes, (size_t)size + length);
    }
    connection->interval = 1000000ull * wire_member(body, "interval_ms=", 0);
    connection->burst = wire_member(body, "burst=", 1);
    if (connection->burst < 1 || connection->burst > MAX_BURST) connection->burst = 1;
    connection->count = wire_event_count(connection->events);
    connection->next = 0;
    size_t size = (size_t)sprintf(
        bytes, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
    size += append_event(connection, bytes + size, 0);
    if (connection->interval == 0) want_writable(connection, 1);
    else timers_set(&connection->timer, wire_now() + connection->interval);
    transmit(connection, bytes, size);
}

// Responds to the request if it is complete. No client of the benchmark pipelines, so bytes after the request are a
// fault.
static int read_request(Connection *connection) {
    char *input = connection->input;
    input[connection->filled] = 0;
    char *end = strstr(input, "\r\n\r\n");
    if (!end) return connection->filled + 1 < sizeof connection->input;
    char *field = strcasestr(input, "\r\ncontent-length:");
    size_t total = (size_t)(end + 4 - input) + (field && field < end ? strtoul(field + 17, NULL, 10) : 0);
    if (total >= sizeof connection->input || connection->filled > total) return 0;
    if (connection->filled < total) return 1;
    connection->filled = 0;
    if (strncmp(input, "POST /v1/chat/completions ", 26) == 0) return respond(connection, end + 4), 1;
    // Some proxies check the upstream's health and models before they send anything.
    transmit(connection, wire_models, strlen(wire_models));
    return 1;
}

static int readable(Connection *connection) {
    ssize_t count = channel_receive(
        &connection->channel, connection->input + connection->filled,
        sizeof connection->input - 1 - connection->filled);
    if (count <= 0) return count < 0;
    connection->filled += (size_t)count;
    return read_request(connection);
}

static void writable(Connection *connection) {
    int streams = connection->interval == 0 && connection->events > 0 && connection->next <= connection->events;
    if (connection->output) {
        connection->output_sent += channel_send(
            &connection->channel, connection->output + connection->output_sent,
            connection->output_size - connection->output_sent);
        if (connection->output_sent < connection->output_size) return;
        free(connection->output);
        connection->output = NULL;
        want_writable(connection, streams);
    } else if (streams) {
        write_events(connection);
    }
}

static void accept_all(int listener) {
    int descriptor;
    while ((descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
        Connection *connection = calloc(1, sizeof *connection);
        channel_open(&connection->channel, descriptor);
        connection->timer.place = -1;
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
        if (epoll_ctl(epoll_descriptor, EPOLL_CTL_ADD, descriptor, &event) < 0) close_connection(connection);
    }
}

// Sends the writes that are due. The stream of a peer that takes nothing waits, so that its output does not grow here.
static void write_due(void) {
    uint64_t now = wire_now();
    for (Timer *timer; (timer = timers_first()) && timer->due <= now;) {
        Connection *connection = (Connection *)((char *)timer - offsetof(Connection, timer));
        timers_remove(timer);
        if (connection->output) timers_set(timer, now + 1000000);
        else write_events(connection);
    }
}

int main(int count, char **arguments) {
    start_process();
    if (count == 3 && !channel_use_certificate(arguments[1], arguments[2])) {
        fputs("mock_upstream: the certificate or its key cannot be read\n", stderr);
        return 1;
    }
    epoll_descriptor = epoll_create1(EPOLL_CLOEXEC);
    printf("%u\n", listeners_open(epoll_descriptor));
    fflush(stdout);
    struct epoll_event ready[256];
    for (;;) {
        struct timespec wait = {0};
        Timer *first = timers_first();
        uint64_t now = wire_now(), due = first ? first->due : 0;
        if (due > now) wait = (struct timespec){(time_t)((due - now) / 1000000000u), (long)((due - now) % 1000000000u)};
        int count = epoll_pwait2(epoll_descriptor, ready, 256, first ? &wait : NULL, NULL);
        for (int i = 0; i < count; i++) {
            Connection *connection = ready[i].data.ptr;
            int listener = listeners_find(ready[i].data.ptr);
            if (listener >= 0) accept_all(listener);
            else if ((ready[i].events & ~(unsigned)EPOLLOUT) && !readable(connection)) close_connection(connection);
            else if (ready[i].events & EPOLLOUT) writable(connection);
        }
        write_due();
    }
}
