// The lower bound: forwards bytes from one socket to another and back without interpreting them. Listens on a free port
// of 127.0.0.1, prints the port, and opens a connection to the given address and port for each one that it accepts.
#define _GNU_SOURCE
#include "start.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct End {
    int descriptor;
    struct End *peer;
    // Bytes for this end that its socket did not take. Until they are sent, its peer is not read.
    char *output;
    size_t output_size, output_sent;
    int is_closed;
} End;

static int epoll_descriptor;
static struct sockaddr_in upstream = {.sin_family = AF_INET};
// Ends to free after a round of events, because a later event of the round can refer to them.
static End *closed[1024];
static int closed_count;

static void watch(End *end, int operation, uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = end};
    epoll_ctl(epoll_descriptor, operation, end->descriptor, &event);
}

static void close_pair(End *end) {
    if (end->is_closed) return;
    for (int i = 0; i < 2; i++, end = end->peer) {
        end->is_closed = 1;
        close(end->descriptor);
        closed[closed_count++] = end;
    }
}

static void forward(End *from) {
    static char bytes[1 << 16];
    End *to = from->peer;
    ssize_t count = recv(from->descriptor, bytes, sizeof bytes, 0), sent;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return close_pair(from);
    if ((sent = send(to->descriptor, bytes, (size_t)count, MSG_NOSIGNAL)) == count) return;
    if (sent < 0 && errno != EAGAIN) return close_pair(from);
    if (sent < 0) sent = 0;
    to->output_size = (size_t)(count - sent);
    to->output_sent = 0;
    to->output = malloc(to->output_size);
    memcpy(to->output, bytes + sent, to->output_size);
    watch(from, EPOLL_CTL_MOD, 0);
    watch(to, EPOLL_CTL_MOD, EPOLLIN | EPOLLOUT);
}

static void flush_output(End *end) {
    size_t left = end->output_size - end->output_sent;
    ssize_t sent = send(end->descriptor, end->output + end->output_sent, left, MSG_NOSIGNAL);
    if (sent > 0) end->output_sent += (size_t)sent;
    if (end->output_sent < end->output_size) return;
    free(end->output);
    end->output = NULL;
    // This end is read again unless its peer still has output to send.
    watch(end, EPOLL_CTL_MOD, end->peer->output ? 0 : EPOLLIN);
    watch(end->peer, EPOLL_CTL_MOD, EPOLLIN | (end->peer->output ? EPOLLOUT : 0u));
}

static End *make_end(int descriptor) {
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    End *end = calloc(1, sizeof *end);
    end->descriptor = descriptor;
    return end;
}

static void accept_all(int listener) {
    int client;
    while ((client = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        int server = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (connect(server, (struct sockaddr *)&upstream, sizeof upstream) < 0 && errno != EINPROGRESS) {
            perror("relay: connect");
            exit(1);
        }
        End *a = make_end(client), *b = make_end(server);
        a->peer = b;
        b->peer = a;
        watch(a, EPOLL_CTL_ADD, EPOLLIN);
        watch(b, EPOLL_CTL_ADD, EPOLLIN);
    }
}

int main(int count, char **arguments) {
    start_process();
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (count != 3 || inet_pton(AF_INET, arguments[1], &upstream.sin_addr) != 1) {
        fputs("usage: relay ADDRESS PORT\n", stderr);
        return 2;
    }
    upstream.sin_port = htons((uint16_t)atoi(arguments[2]));
    if (bind(listener, (struct sockaddr *)&address, length) < 0 || listen(listener, 4096) < 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) < 0) {
        perror("relay");
        return 1;
    }
    printf("%u\n", ntohs(address.sin_port));
    fflush(stdout);
    epoll_descriptor = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL}, ready[256];
    epoll_ctl(epoll_descriptor, EPOLL_CTL_ADD, listener, &event);
    for (;;) {
        int number = epoll_wait(epoll_descriptor, ready, 256, -1);
        for (int i = 0; i < number; i++) {
            End *end = ready[i].data.ptr;
            if (!end) accept_all(listener);
            else if (end->is_closed) continue;
            else if (end->output && (ready[i].events & EPOLLOUT)) flush_output(end);
            else if (ready[i].events & ~(unsigned)EPOLLOUT) forward(end);
        }
        while (closed_count > 0) {
            End *end = closed[--closed_count];
            free(end->output);
            free(end);
        }
    }
}
