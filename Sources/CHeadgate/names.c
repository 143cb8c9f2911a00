#include "CHeadgate.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

static struct headgate_address from_v4(const struct in_addr *address) {
    return (struct headgate_address){.low = ntohl(address->s_addr), .is_v6 = false};
}

static uint64_t half(const uint8_t bytes[8]) {
    uint64_t number = 0;
    for (int i = 0; i < 8; i++) number = number << 8 | bytes[i];
    return number;
}

static struct headgate_address from_v6(const struct in6_addr *address) {
    const uint8_t *bytes = address->s6_addr;
    return (struct headgate_address){.high = half(bytes), .low = half(bytes + 8), .is_v6 = true};
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
    struct in6_addr v6;
    for (int i = 0; i < 16; i++) v6.s6_addr[i] = (uint8_t)((i < 8 ? address.high : address.low) >> (56 - i % 8 * 8));
    const void *bytes = address.is_v6 ? (const void *)&v6 : (const void *)&v4;
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
        const char *text = status == EAI_SYSTEM ? strerror(error) : gai_strerror(status);
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
