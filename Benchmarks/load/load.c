// Requests chat completions over keep-alive connections, checks every response, and prints its measurements as JSON.
// Anything unexpected ends the program with status 1.
//
// With --marks it also prints a line when every stream has had its first content. It prints another line, with the
// number of content events since then, when the first stream ends. A proxy's use in between is the cost of its events
// alone.
#define _GNU_SOURCE
#include "options.h"
#include "response.h"
#include "request.h"
#include "samples.h"
#include "start.h"
#include "wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// One source address has about 28,000 ports, some of which are still in use from the round before.
enum { CONNECTIONS_PER_ADDRESS = 2000 };
// Exit statuses if nothing is wrong except the time that the requests took.
enum { TOO_SLOW = 3, STALLED = 4 };

typedef struct {
    int descriptor;
    uint64_t started;
    int has_event, has_content;
    Response response;
} Connection;

static Connection *connections;
static Request request;
static unsigned started, finished, with_content;
static unsigned long received_events, marked_events, reads;
// When the current bytes arrived.
static uint64_t arrived;
// Times from a request's first byte to the response's last, from that byte to the first event, and from the sending of
// an event to its arrival.
static Samples latencies, first_events, delays;

static void open_connection(Connection *connection, unsigned number, int epoll_descriptor) {
    struct sockaddr_in source = {.sin_family = AF_INET};
    source.sin_addr.s_addr = htonl(INADDR_LOOPBACK + number / CONNECTIONS_PER_ADDRESS);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)options.port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int descriptor = connection->descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    // The kernel chooses the port when the peer is known, so a port that another connection still uses can be chosen.
    setsockopt(descriptor, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &(int){1}, sizeof(int));
    if (bind(descriptor, (struct sockaddr *)&source, sizeof source) < 0) die("bind: %m");
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) die("connect: %m");
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    if (epoll_ctl(epoll_descriptor, EPOLL_CTL_ADD, descriptor, &event) < 0) die("epoll: %m");
}

static void send_request(Connection *connection) {
    response_begin(&connection->response, started, options.events, options.contents_only != 0);
    connection->has_event = connection->has_content = 0;
    request_number(&request, started++);
    connection->started = wire_now();
    ssize_t sent = send(connection->descriptor, request.bytes, request.size, MSG_NOSIGNAL);
    if (sent != (ssize_t)request.size) die("send: %m");
}

void response_content(const Response *response) {
    received_events++;
    // In bursts, the time in an event is that of a whole write, which says nothing about a single event.
    if (options.interval > 0) samples_add(&delays, arrived > response->stamp ? arrived - response->stamp : 0);
}

static void note_progress(Connection *connection) {
    if (options.events == 0 || connection->has_content || connection->response.event == 0) return;
    if (!connection->has_event) samples_add(&first_events, arrived - connection->started);
    connection->has_event = 1;
    if (connection->response.event < 2) return;
    connection->has_content = 1;
    if (++with_content < options.requests || !options.marks) return;
    marked_events = received_events;
    puts("begun");
    fflush(stdout);
}

static void receive(Connection *connection) {
    static char bytes[1 << 16];
    ssize_t count = recv(connection->descriptor, bytes, sizeof bytes, MSG_DONTWAIT);
    if (count < 0 && errno == EAGAIN) return;
    Response *response = &connection->response;
    // The response is complete, so the server need not keep the connection open while other streams continue.
    if (count == 0 && response->state == RESPONSE_DONE) {
        close(connection->descriptor);
        return;
    }
    if (count <= 0) die("request %u: the connection ended: %s", response->request, count < 0 ? strerror(errno) : "FIN");
    reads++;
    arrived = wire_now();
    if (!response_receive(response, bytes, (size_t)count))
        die("request %u, event %u: %s\n%.*s", response->request, response->event, response->fault, (int)count, bytes);
    note_progress(connection);
    if (response->state != RESPONSE_DONE) return;
    samples_add(&latencies, arrived - connection->started);
    if (++finished == 1 && options.marks) {
        if (with_content < options.requests) {
            fputs("load: a stream ended before all had begun\n", stderr);
            exit(TOO_SLOW);
        }
        printf("ended %lu\n", received_events - marked_events);
        fflush(stdout);
    }
    if (started < options.requests && options.ramp == 0) send_request(connection);
}

static void report(double seconds) {
    putchar('{');
    samples_print(&latencies, "latency_us");
    samples_print(&first_events, "first_event_us");
    samples_print(&delays, "delay_us");
    printf(
        "\"requests\":%u,\"events\":%lu,\"reads\":%lu,\"seconds\":%.6f}\n", finished, received_events, reads, seconds);
}

static void run(int epoll_descriptor) {
    struct epoll_event ready[256];
    uint64_t begin = wire_now();
    unsigned first = options.connections < options.requests ? options.connections : options.requests;
    while (finished < options.requests) {
        struct timespec wait = {.tv_sec = 30};
        // The starts of the connections' first requests are spread evenly over the ramp.
        while (started < first) {
            uint64_t due = begin + 1000000ull * options.ramp * started / first, now = wire_now();
            if (due > now) {
                wait = (struct timespec){.tv_nsec = (long)((due - now) % 1000000000u)};
                break;
            }
            send_request(&connections[started]);
        }
        int count = epoll_pwait2(epoll_descriptor, ready, 256, &wait, NULL);
        if (count == 0 && started >= first) {
            fprintf(stderr, "load: no response for 30 s: %u of %u finished\n", finished, options.requests);
            exit(STALLED);
        }
        for (int i = 0; i < count; i++) receive(ready[i].data.ptr);
    }
    report((double)(wire_now() - begin) / 1e9);
}

int main(int count, char **arguments) {
    start_process();
    options_parse(count, arguments);
    request_make(&request, options.port, options.key, options.events, options.interval, options.burst);
    samples_reserve(&latencies, options.requests);
    samples_reserve(&first_events, options.requests);
    samples_reserve(&delays, options.interval > 0 ? (size_t)options.requests * options.events : 0);
    int epoll_descriptor = epoll_create1(EPOLL_CLOEXEC);
    connections = calloc(options.connections, sizeof *connections);
    if (!connections) die("out of memory");
    for (unsigned i = 0; i < options.connections; i++) open_connection(&connections[i], i, epoll_descriptor);
    run(epoll_descriptor);
    return 0;
}
