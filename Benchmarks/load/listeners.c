#define _GNU_SOURCE
#include "listeners.h"

#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>

enum { ADDRESSES = 16 };

static int listeners[ADDRESSES];

unsigned listeners_open(int epoll_descriptor) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    for (uint32_t i = 0; i < ADDRESSES; i++) {
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK + i);
        int listener = listeners[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &listeners[i]};
        if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) < 0 || listen(listener, 4096) < 0 ||
            getsockname(listener, (struct sockaddr *)&address, &length) < 0 ||
            epoll_ctl(epoll_descriptor, EPOLL_CTL_ADD, listener, &event) < 0) {
            perror("mock_upstream");
            exit(1);
        }
    }
    return ntohs(address.sin_port);
}

int listeners_find(const void *pointer) {
    uintptr_t place = (uintptr_t)pointer, first = (uintptr_t)listeners;
    return place >= first && place < first + sizeof listeners ? *(const int *)pointer : -1;
}
