#define _GNU_SOURCE
#include "CHeadgate.h"

#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

static struct headgate_address from_v4(const struct in_addr *address) {
    return (struct headgate_address){.low = ntohl(address->s_addr), .is_v6 = false};
}

static struct headgate_address from_v6(const struct in6_addr *address) {
    uint64_t halves[2];
    memcpy(halves, address, sizeof halves);
    return (struct headgate_address){.high = be64toh(halves[0]), .low = be64toh(halves[1]), .is_v6 = true};
}

bool headgate_parse_address(const char *text, struct headgate_address *address) {
    struct in_addr v4;
    struct in6_addr v6;
    if (inet_pton(AF_INET, text, &v4) == 1) {
        *address = from_v4(&v4);
        return true;
    }
    if (inet_pton(AF_INET6, text, &v6) == 1) {
        *address = from_v6(&v6);
        return true;
    }
    return false;
}

void headgate_format_address(struct headgate_address address, char *text, size_t capacity) {
    struct in_addr v4 = {.s_addr = htonl((uint32_t)address.low)};
    uint64_t halves[2] = {htobe64(address.high), htobe64(address.low)};
    const void *bytes = address.is_v6 ? (const void *)halves : (const void *)&v4;
    if (!inet_ntop(address.is_v6 ? AF_INET6 : AF_INET, bytes, text, (socklen_t)capacity) && capacity > 0) text[0] = 0;
}

int headgate_resolve(
    const char *name, struct headgate_address *addresses, int capacity, char *problem, size_t problem_capacity) {
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG};
    struct addrinfo *found = NULL;
    errno = 0;
    int status = getaddrinfo(name, NULL, &hints, &found);
    int error = errno;
    if (status != 0) {
        char buffer[128];
        const char *text = status == EAI_SYSTEM ? strerror_r(error, buffer, sizeof buffer) : gai_strerror(status);
        snprintf(problem, problem_capacity, "%s", text);
        return -1;
    }
    int count = 0;
    for (struct addrinfo *next = found; next && count < capacity; next = next->ai_next) {
        if (next->ai_family == AF_INET) {
            addresses[count++] = from_v4(&((struct sockaddr_in *)next->ai_addr)->sin_addr);
        } else if (next->ai_family == AF_INET6) {
            addresses[count++] = from_v6(&((struct sockaddr_in6 *)next->ai_addr)->sin6_addr);
        }
    }
    freeaddrinfo(found);
    return count;
}
