/* get PORT PATH CONNECTIONS REQUESTS: sends one GET after the other on each of many connections, as fast as they are
   answered. Every response must be a 200 with Content-Length, and as long as the first one. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    int descriptor;
    size_t received;
    char bytes[4096];
} Connection;

static char request[1024];
static int request_length;
static size_t response_length;

static void die(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("get: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    exit(1);
}

static void send_request(Connection *connection) {
    if (send(connection->descriptor, request, (size_t)request_length, MSG_NOSIGNAL) != request_length) {
        die("cannot send: %s", strerror(errno));
    }
}

/* Returns the length of the response at the start of these bytes, or 0 while its head is incomplete. */
static size_t length_of(const Connection *connection) {
    const char *end = memmem(connection->bytes, connection->received, "\r\n\r\n", 4);
    if (!end) return 0;
    const char *field = memmem(connection->bytes, connection->received, "\r\nContent-Length: ", 18);
    if (strncmp(connection->bytes, "HTTP/1.1 200 ", 13) != 0 || !field || field > end) {
        die("not what was asked for: %.*s", (int)connection->received, connection->bytes);
    }
    return (size_t)(end + 4 - connection->bytes) + strtoul(field + 18, NULL, 10);
}

/* Receives bytes; returns whether a response is complete. */
static int receive(Connection *connection) {
    ssize_t count = recv(
        connection->descriptor, connection->bytes + connection->received,
        sizeof connection->bytes - connection->received, 0);
    if (count <= 0) die("the connection has ended");
    connection->received += (size_t)count;
    size_t length = length_of(connection);
    if (length == 0 || connection->received < length) return 0;
    if (response_length == 0) response_length = length;
    if (length != response_length || connection->received != length) die("a response of another length");
    connection->received = 0;
    return 1;
}

static void open_connection(Connection *connection, int poll, unsigned short port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connection->descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(connection->descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
        die("cannot connect: %s", strerror(errno));
    }
    int on = 1;
    setsockopt(connection->descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, connection->descriptor, &event) != 0) die("epoll: %s", strerror(errno));
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
    if (count != 5) die("usage: get PORT PATH CONNECTIONS REQUESTS");
    unsigned short port = (unsigned short)strtoul(arguments[1], NULL, 10);
    unsigned long connections = strtoul(arguments[3], NULL, 10), requests = strtoul(arguments[4], NULL, 10);
    if (connections == 0 || requests < connections) die("at least one request for each connection");
    request_length = snprintf(
        request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n\r\n", arguments[2], (unsigned)port);
    if (request_length >= (int)sizeof request) die("the path is too long");

    int poll = epoll_create1(0);
    Connection *all = calloc(connections, sizeof *all);
    if (poll < 0 || !all) die("no memory");
    for (unsigned long index = 0; index < connections; index++) open_connection(&all[index], poll, port);
    double start = now();
    unsigned long sent = connections, answered = 0;
    for (unsigned long index = 0; index < connections; index++) send_request(&all[index]);
    while (answered < requests) {
        struct epoll_event events[64];
        int ready = epoll_wait(poll, events, 64, 10000);
        if (ready <= 0) die("no answer within 10 s");
        for (int index = 0; index < ready; index++) {
            Connection *connection = events[index].data.ptr;
            if (!receive(connection)) continue;
            answered++;
            if (sent < requests) {
                sent++;
                send_request(connection);
            }
        }
    }
    printf("{\"requests\": %lu, \"seconds\": %.6f}\n", answered, now() - start);
    return 0;
}
