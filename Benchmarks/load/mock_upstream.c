// An upstream that costs as little as possible: answers POST /v1/chat/completions over HTTP/1.1 with keep-alive.
//
// Members of the request's body choose the answer: "request" its number, "events" the content chunks of a stream (0:
// one JSON answer), "interval_ms" the time between writes, "burst" the events of each write. Every event is an HTTP
// chunk of its own, as common upstreams send it. Listens on a free port of 127.0.0.1, prints it, and serves until it is
// killed.
#define _GNU_SOURCE
#include "wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MAX_CONNECTIONS = 16384, MAX_BURST = 256, FRAME_MAX = WIRE_MAX + 16 };

typedef struct {
    int descriptor;
    char input[8192];
    size_t filled;
    // Not yet taken by the kernel.
    char *output;
    size_t output_size, output_sent;
    // The stream that is being answered: `next` runs from 0 to `count`.
    unsigned request, events, next, count, burst;
    uint64_t interval, due;
    // Place in the heap of timers, or -1.
    int place;
    int wants_writable;
} Connection;

static int epoll_descriptor;
static Connection *heap[MAX_CONNECTIONS];
static int heap_size;

static void heap_set(int place, Connection *connection) {
    heap[place] = connection;
    connection->place = place;
}

static void heap_settle(int place, Connection *connection) {
    while (place > 0 && heap[(place - 1) / 2]->due > connection->due) {
        heap_set(place, heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    for (int child; (child = 2 * place + 1) < heap_size; place = child) {
        if (child + 1 < heap_size && heap[child + 1]->due < heap[child]->due) child++;
        if (heap[child]->due >= connection->due) break;
        heap_set(place, heap[child]);
    }
    heap_set(place, connection);
}

static void heap_remove(Connection *connection) {
    int place = connection->place;
    if (place < 0) return;
    connection->place = -1;
    Connection *last = heap[--heap_size];
    if (last != connection) heap_settle(place, last);
}

static void schedule(Connection *connection, uint64_t due) {
    connection->due = due;
    heap_settle(connection->place >= 0 ? connection->place : heap_size++, connection);
}

static void close_connection(Connection *connection) {
    heap_remove(connection);
    close(connection->descriptor);
    free(connection->output);
    free(connection);
}

static void want_writable(Connection *connection, int wants) {
    if (connection->wants_writable == wants) return;
    connection->wants_writable = wants;
    struct epoll_event event = {.events = EPOLLIN | (wants ? EPOLLOUT : 0u), .data.ptr = connection};
    epoll_ctl(epoll_descriptor, EPOLL_CTL_MOD, connection->descriptor, &event);
}

// Sends, and keeps what the kernel does not take. Only called with nothing kept.
static void transmit(Connection *connection, const char *bytes, size_t size) {
    ssize_t sent = send(connection->descriptor, bytes, size, MSG_NOSIGNAL);
    if (sent < 0) sent = 0;
    if ((size_t)sent == size) return;
    connection->output_size = size - (size_t)sent;
    connection->output_sent = 0;
    connection->output = malloc(connection->output_size);
    memcpy(connection->output, bytes + sent, connection->output_size);
    want_writable(connection, 1);
}

static size_t append_event(Connection *connection, char *out) {
    char event[WIRE_MAX];
    size_t length = wire_event(event, connection->request, connection->events, connection->next++);
    size_t size = (size_t)sprintf(out, "%zx\r\n", length);
    memcpy(out + size, event, length);
    memcpy(out + size + length, "\r\n", 2);
    return size + length + 2;
}

// One write of the stream: `burst` content events, and with the last of them the stream's end.
static void write_events(Connection *connection) {
    static char bytes[(MAX_BURST + 4) * FRAME_MAX];
    size_t size = 0;
    for (unsigned i = 0; i < connection->burst && connection->next <= connection->events; i++)
        size += append_event(connection, bytes + size);
    if (connection->next > connection->events) {
        while (connection->next < connection->count) size += append_event(connection, bytes + size);
        memcpy(bytes + size, "0\r\n\r\n", 5);
        size += 5;
        if (connection->interval == 0) want_writable(connection, 0);
    } else if (connection->interval > 0) {
        schedule(connection, connection->due + connection->interval);
    }
    transmit(connection, bytes, size);
}

static void answer(Connection *connection, const char *body) {
    char bytes[2048], text[WIRE_MAX];
    connection->request = wire_member(body, "\"request\":", 0);
    connection->events = wire_member(body, "\"events\":", 0);
    if (connection->events == 0) {
        size_t length = wire_answer(text, connection->request);
        int size = sprintf(
            bytes, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n", length);
        memcpy(bytes + size, text, length);
        return transmit(connection, bytes, (size_t)size + length);
    }
    connection->interval = 1000000ull * wire_member(body, "\"interval_ms\":", 0);
    connection->burst = wire_member(body, "\"burst\":", 1);
    if (connection->burst < 1 || connection->burst > MAX_BURST) connection->burst = 1;
    connection->count = wire_event_count(connection->events);
    connection->next = 0;
    size_t size = (size_t)sprintf(
        bytes, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
    size += append_event(connection, bytes + size);
    if (connection->interval == 0) want_writable(connection, 1);
    else schedule(connection, wire_now() + connection->interval);
    transmit(connection, bytes, size);
}

// Answers the request if all of it is there. Nobody pipelines here: what is left over would be a fault.
static int read_request(Connection *connection) {
    char *input = connection->input;
    input[connection->filled] = 0;
    char *end = strstr(input, "\r\n\r\n");
    if (!end) return connection->filled + 1 < sizeof connection->input;
    char *field = strcasestr(input, "\r\ncontent-length:");
    if (!field || field > end || strncmp(input, "POST /v1/chat/completions ", 26) != 0) return 0;
    size_t total = (size_t)(end + 4 - input) + strtoul(field + 17, NULL, 10);
    if (total >= sizeof connection->input || connection->filled > total) return 0;
    if (connection->filled < total) return 1;
    connection->filled = 0;
    answer(connection, end + 4);
    return 1;
}

static int readable(Connection *connection) {
    ssize_t count = recv(
        connection->descriptor, connection->input + connection->filled,
        sizeof connection->input - 1 - connection->filled, 0);
    if (count < 0) return errno == EAGAIN;
    if (count == 0) return 0;
    connection->filled += (size_t)count;
    return read_request(connection);
}

static void writable(Connection *connection) {
    if (!connection->output) {
        if (connection->interval == 0 && connection->next <= connection->events) write_events(connection);
        return;
    }
    ssize_t sent = send(
        connection->descriptor, connection->output + connection->output_sent,
        connection->output_size - connection->output_sent, MSG_NOSIGNAL);
    if (sent > 0) connection->output_sent += (size_t)sent;
    if (connection->output_sent < connection->output_size) return;
    free(connection->output);
    connection->output = NULL;
    int goes_on = connection->interval == 0 && connection->events > 0 && connection->next <= connection->events;
    want_writable(connection, goes_on);
}

static void accept_all(int listener) {
    int descriptor;
    while ((descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
        Connection *connection = calloc(1, sizeof *connection);
        connection->descriptor = descriptor;
        connection->place = -1;
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
        if (epoll_ctl(epoll_descriptor, EPOLL_CTL_ADD, descriptor, &event) < 0) close_connection(connection);
    }
}

static int listen_anywhere(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) < 0 || listen(listener, 4096) < 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) < 0) {
        perror("mock_upstream");
        exit(1);
    }
    printf("%u\n", ntohs(address.sin_port));
    fflush(stdout);
    return listener;
}

int main(void) {
    // Without it the kernel may deliver a timer 50 us late.
    prctl(PR_SET_TIMERSLACK, 1);
    // Whoever started it may die without a chance to end it.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int listener = listen_anywhere();
    epoll_descriptor = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL}, ready[256];
    epoll_ctl(epoll_descriptor, EPOLL_CTL_ADD, listener, &event);
    for (;;) {
        struct timespec wait = {0};
        uint64_t now = wire_now(), due = heap_size > 0 ? heap[0]->due : 0;
        if (due > now) wait = (struct timespec){(time_t)((due - now) / 1000000000u), (long)((due - now) % 1000000000u)};
        int count = epoll_pwait2(epoll_descriptor, ready, 256, heap_size > 0 ? &wait : NULL, NULL);
        for (int i = 0; i < count; i++) {
            Connection *connection = ready[i].data.ptr;
            if (!connection) accept_all(listener);
            else if ((ready[i].events & ~(unsigned)EPOLLOUT) && !readable(connection)) close_connection(connection);
            else if (ready[i].events & EPOLLOUT) writable(connection);
        }
        for (now = wire_now(); heap_size > 0 && heap[0]->due <= now;) {
            Connection *connection = heap[0];
            heap_remove(connection);
            // A peer that takes nothing: the stream waits for it instead of growing here.
            if (connection->output) schedule(connection, now + 1000000);
            else write_events(connection);
        }
    }
}
