// Asks for chat completions over keep-alive connections, checks every byte of every answer, and prints what it measured
// as JSON. Anything unexpected ends it with status 1.
#define _GNU_SOURCE
#include "reply.h"
#include "wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    int descriptor;
    uint64_t started;
    int has_content;
    Reply reply;
} Connection;

static struct {
    unsigned port, connections, requests, events, interval, burst, ramp, hold;
    const char *key;
} options = {.connections = 1, .requests = 1, .burst = 1, .key = ""};

static Connection *connections;
static unsigned started, finished, with_content;
static unsigned long received_events, reads;
// Of each answer: nanoseconds from the request's first byte to the answer's last, and to the first content.
static uint64_t *latencies, *first_contents;

static void __attribute__((noreturn, format(printf, 1, 2))) die(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("load: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    exit(1);
}

static void open_connection(Connection *connection, int epoll_descriptor) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)options.port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    connection->descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(connection->descriptor, (struct sockaddr *)&address, sizeof address) < 0) die("connect: %m");
    setsockopt(connection->descriptor, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    if (epoll_ctl(epoll_descriptor, EPOLL_CTL_ADD, connection->descriptor, &event) < 0) die("epoll: %m");
}

static void send_request(Connection *connection) {
    char body[1024], bytes[2048];
    unsigned request = started++;
    int length = snprintf(
        body, sizeof body,
        "{\"model\":\"mock\",\"messages\":[{\"role\":\"system\",\"content\":\"You are a helpful assistant.\"},"
        "{\"role\":\"user\",\"content\":\"What is a headgate, and what stands behind it? Answer in one sentence.\"}],"
        "\"temperature\":0.7,\"max_tokens\":256,\"stream\":%s,\"metadata\":{\"request\":%u,\"events\":%u,"
        "\"interval_ms\":%u,\"burst\":%u}}",
        options.events > 0 ? "true" : "false", request, options.events, options.interval, options.burst);
    int size = snprintf(
        bytes, sizeof bytes,
        "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nAuthorization: Bearer %s\r\nUser-Agent: load/1\r\n"
        "Accept: */*\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
        options.port, options.key, length, body);
    reply_begin(&connection->reply, request, options.events);
    connection->has_content = 0;
    connection->started = wire_now();
    if (send(connection->descriptor, bytes, (size_t)size, MSG_NOSIGNAL) != size) die("send: %m");
}

// One answer has come as far as its first content; `--hold` waits for all of them.
static void note_content(Connection *connection) {
    if (connection->has_content || options.events == 0 || connection->reply.event < 2) return;
    connection->has_content = 1;
    first_contents[connection->reply.request] = wire_now() - connection->started;
    if (++with_content == options.requests && options.hold) {
        puts("held");
        fflush(stdout);
    }
}

static void receive(Connection *connection) {
    static char bytes[1 << 16];
    ssize_t count = recv(connection->descriptor, bytes, sizeof bytes, MSG_DONTWAIT);
    if (count < 0 && errno == EAGAIN) return;
    Reply *reply = &connection->reply;
    if (count <= 0) die("request %u: the connection ended: %s", reply->request, count < 0 ? strerror(errno) : "FIN");
    reads++;
    if (!reply_receive(reply, bytes, (size_t)count))
        die("request %u, event %u: %s\n%.*s", reply->request, reply->event, reply->fault, (int)count, bytes);
    note_content(connection);
    if (reply->state != REPLY_DONE) return;
    latencies[finished++] = wire_now() - connection->started;
    received_events += options.events;
    if (started < options.requests && options.ramp == 0) send_request(connection);
}

static int ascending(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// In microseconds. Sorts.
static double quantile(uint64_t *values, double part) {
    qsort(values, options.requests, sizeof *values, ascending);
    return (double)values[(size_t)((options.requests - 1) * part)] / 1000;
}

static void report(double seconds) {
    printf(
        "{\"requests\":%u,\"events\":%lu,\"reads\":%lu,\"seconds\":%.6f,\"p50_us\":%.1f,\"p99_us\":%.1f,"
        "\"first_content_p50_us\":%.1f}\n",
        finished, received_events, reads, seconds, quantile(latencies, 0.5), quantile(latencies, 0.99),
        options.events > 0 ? quantile(first_contents, 0.5) : 0);
}

static void run(int epoll_descriptor) {
    struct epoll_event ready[256];
    uint64_t begin = wire_now();
    unsigned first = options.connections < options.requests ? options.connections : options.requests;
    while (finished < options.requests) {
        struct timespec wait = {.tv_sec = 30};
        // The first request of each connection: spread evenly over the ramp.
        while (started < first) {
            uint64_t due = begin + 1000000ull * options.ramp * started / first, now = wire_now();
            if (due > now) {
                wait = (struct timespec){.tv_nsec = (long)((due - now) % 1000000000u)};
                break;
            }
            send_request(&connections[started]);
        }
        int count = epoll_pwait2(epoll_descriptor, ready, 256, &wait, NULL);
        if (count == 0 && started >= first) die("no answer for 30 s: %u of %u finished", finished, options.requests);
        for (int i = 0; i < count; i++) receive(ready[i].data.ptr);
    }
    report((double)(wire_now() - begin) / 1e9);
}

static void parse(int count, char **arguments) {
    static const struct option names[] = {
        {"port", 1, 0, 'p'},     {"key", 1, 0, 'k'},      {"connections", 1, 0, 'c'}, {"requests", 1, 0, 'n'},
        {"events", 1, 0, 'e'},   {"interval", 1, 0, 'i'}, {"burst", 1, 0, 'b'},       {"ramp", 1, 0, 'r'},
        {"hold", 0, 0, 'h'},     {0, 0, 0, 0}};
    int name;
    while ((name = getopt_long(count, arguments, "", names, NULL)) >= 0) {
        unsigned number = optarg ? (unsigned)strtoul(optarg, NULL, 10) : 0;
        switch (name) {
        case 'p': options.port = number; break;
        case 'k': options.key = optarg; break;
        case 'c': options.connections = number; break;
        case 'n': options.requests = number; break;
        case 'e': options.events = number; break;
        case 'i': options.interval = number; break;
        case 'b': options.burst = number; break;
        case 'r': options.ramp = number; break;
        case 'h': options.hold = 1; break;
        default:
            die("usage: load --port N [--key K] [--connections N] [--requests N] [--events N] [--interval MS] "
                "[--burst N] [--ramp MS] [--hold]");
        }
    }
    if (options.port == 0 || options.connections == 0 || options.requests == 0) die("a port, connections, requests");
    if (options.ramp > 0 && options.requests > options.connections) die("a ramp takes one request per connection");
}

int main(int count, char **arguments) {
    prctl(PR_SET_TIMERSLACK, 1);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    parse(count, arguments);
    int epoll_descriptor = epoll_create1(EPOLL_CLOEXEC);
    connections = calloc(options.connections, sizeof *connections);
    latencies = calloc(options.requests, sizeof *latencies);
    first_contents = calloc(options.requests, sizeof *first_contents);
    if (!connections || !latencies || !first_contents) die("out of memory");
    for (unsigned i = 0; i < options.connections; i++) open_connection(&connections[i], epoll_descriptor);
    run(epoll_descriptor);
    return 0;
}
