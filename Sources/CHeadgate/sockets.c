#define _GNU_SOURCE
#include "CHeadgate.h"
#include "platform.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static int parse_address(const char *ip, uint16_t port, struct sockaddr_storage *address, socklen_t *length) {
    memset(address, 0, sizeof *address);
    struct sockaddr_in *v4 = (struct sockaddr_in *)address;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)address;
    if (inet_pton(AF_INET, ip, &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons(port);
        *length = sizeof *v4;
        return 0;
    }
    if (inet_pton(AF_INET6, ip, &v6->sin6_addr) == 1) {
        v6->sin6_family = AF_INET6;
        v6->sin6_port = htons(port);
        *length = sizeof *v6;
        return 0;
    }
    return -EINVAL;
}

static int failed(int fd) {
    int error = errno;
    close(fd);
    return -error;
}

int headgate_tcp_listen(const char *ip, uint16_t port, int backlog) {
    struct sockaddr_storage address;
    socklen_t length;
    int invalid = parse_address(ip, port, &address, &length);
    if (invalid) return invalid;
    int fd = platform_socket(address.ss_family, SOCK_STREAM);
    if (fd < 0) return fd;
    int on = 1;
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) < 0) return failed(fd);
    if (address.ss_family == AF_INET6 && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) < 0) {
        return failed(fd);
    }
    if (bind(fd, (struct sockaddr *)&address, length) < 0) return failed(fd);
    if (listen(fd, backlog) < 0) return failed(fd);
    return fd;
}

// Returns whether a process accepts connections on the socket at this address.
static bool is_answered(const struct sockaddr_un *address) {
    int fd = platform_socket(AF_UNIX, SOCK_STREAM);
    if (fd < 0) return true;
    bool refused = connect(fd, (const struct sockaddr *)address, sizeof *address) < 0 && errno == ECONNREFUSED;
    close(fd);
    return !refused;
}

int headgate_unix_listen(const char *path, mode_t mode, int backlog) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) return -ENAMETOOLONG;
    strcpy(address.sun_path, path);
    int fd = platform_socket(AF_UNIX, SOCK_STREAM);
    if (fd < 0) return fd;
    // No other user can connect before the mode is set.
    mode_t before = umask(077);
    int bound = bind(fd, (struct sockaddr *)&address, sizeof address);
    if (bound < 0 && errno == EADDRINUSE) {
        struct stat status;
        // Removes only a socket that an ended process left behind, never another file, and never a socket that is in
        // use.
        if (lstat(path, &status) == 0 && S_ISSOCK(status.st_mode) && !is_answered(&address) && unlink(path) == 0)
            bound = bind(fd, (struct sockaddr *)&address, sizeof address);
        else
            errno = EADDRINUSE;
    }
    int error = errno;
    umask(before);
    errno = error;
    if (bound < 0) return failed(fd);
    if (listen(fd, backlog) < 0 || chmod(path, mode) < 0) {
        error = errno;
        unlink(path);
        errno = error;
        return failed(fd);
    }
    return fd;
}

uint64_t headgate_file_identity(const char *path) {
    struct stat status;
    if (lstat(path, &status) < 0) return 0;
    return (uint64_t)status.st_ino ^ ((uint64_t)status.st_dev << 48);
}

int64_t headgate_peer_uid(int fd) {
    uid_t user;
    gid_t group;
    return getpeereid(fd, &user, &group) < 0 ? -errno : (int64_t)user;
}

static int start_connect(const struct sockaddr *address, socklen_t length) {
    int fd = platform_socket(address->sa_family, SOCK_STREAM);
    if (fd < 0) return fd;
    if (connect(fd, address, length) < 0 && errno != EINPROGRESS) return failed(fd);
    return fd;
}

int headgate_tcp_connect(const char *ip, uint16_t port) {
    struct sockaddr_storage address;
    socklen_t length;
    int invalid = parse_address(ip, port, &address, &length);
    if (invalid) return invalid;
    return start_connect((struct sockaddr *)&address, length);
}

int headgate_connect_at_once(const char *ip, uint16_t port) {
    struct sockaddr_storage address;
    socklen_t length;
    int invalid = parse_address(ip, port, &address, &length);
    if (invalid) return invalid;
    int fd = start_connect((struct sockaddr *)&address, length);
    // A second call reports the result of the first attempt.
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, length) == 0 || errno == EISCONN) return fd;
    int error = errno;
    close(fd);
    return -error;
}

int headgate_unix_connect(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) return -ENAMETOOLONG;
    strcpy(address.sun_path, path);
    return start_connect((struct sockaddr *)&address, sizeof address);
}

int headgate_accept(int fd) { return platform_accept(fd); }

int headgate_connect_result(int fd) {
    int error = 0;
    socklen_t length = sizeof error;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) < 0) return -errno;
    return -error;
}

bool headgate_connect_is_over(int fd) {
    struct pollfd socket = {.fd = fd, .events = POLLOUT};
    return poll(&socket, 1, 0) == 1;
}

void headgate_disable_delay(int fd) {
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static void set_port(struct sockaddr_storage *address, uint16_t port) {
    if (address->ss_family == AF_INET) ((struct sockaddr_in *)address)->sin_port = htons(port);
    if (address->ss_family == AF_INET6) ((struct sockaddr_in6 *)address)->sin6_port = htons(port);
}

bool headgate_has_route(int fd) {
    struct sockaddr_storage own, peer;
    socklen_t own_length = sizeof own, peer_length = sizeof peer;
    if (getsockname(fd, (struct sockaddr *)&own, &own_length) < 0) return true;
    if (getpeername(fd, (struct sockaddr *)&peer, &peer_length) < 0) return true;
    // Connecting a datagram socket looks up the route, as sending would.
    int probe = platform_socket(own.ss_family, SOCK_DGRAM);
    if (probe < 0) return true;
    set_port(&own, 0);
    bool found = bind(probe, (struct sockaddr *)&own, own_length) == 0 &&
                 connect(probe, (struct sockaddr *)&peer, peer_length) == 0;
    close(probe);
    return found;
}

void headgate_reset_on_close(int fd) {
    struct linger linger = {.l_onoff = 1, .l_linger = 0};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
}

void headgate_limit_send_buffer(int fd, int bytes) { setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes); }

// Does the same as inet_ntop, which uses formatted printing for the four numbers.
static int ipv4_text(const uint8_t bytes[4], char *ip, size_t capacity) {
    if (capacity < INET_ADDRSTRLEN) return -ENOSPC;
    for (int i = 0; i < 4; i++) {
        unsigned number = bytes[i];
        if (number >= 100) *ip++ = (char)('0' + number / 100);
        if (number >= 10) *ip++ = (char)('0' + number / 10 % 10);
        *ip++ = (char)('0' + number % 10);
        *ip++ = i < 3 ? '.' : 0;
    }
    return 0;
}

static int ip_text(const struct sockaddr *address, char *ip, size_t capacity, uint16_t *port) {
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
        *port = ntohs(v4->sin_port);
        return ipv4_text((const uint8_t *)&v4->sin_addr, ip, capacity);
    }
    if (address->sa_family != AF_INET6) return -EAFNOSUPPORT;
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;
    *port = ntohs(v6->sin6_port);
    // An IPv4 client of a dual-stack socket is identified by its IPv4 address.
    if (IN6_IS_ADDR_V4MAPPED(&v6->sin6_addr)) return ipv4_text(&v6->sin6_addr.s6_addr[12], ip, capacity);
    return inet_ntop(AF_INET6, &v6->sin6_addr, ip, (socklen_t)capacity) ? 0 : -errno;
}

int headgate_socket_address(int fd, bool remote, char *ip, size_t capacity, uint16_t *port) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    int status = remote ? getpeername(fd, (struct sockaddr *)&address, &length)
                        : getsockname(fd, (struct sockaddr *)&address, &length);
    if (status < 0) return -errno;
    return ip_text((const struct sockaddr *)&address, ip, capacity, port);
}

int headgate_address_towards(const char *peer, char *ip, size_t capacity) {
    struct sockaddr_storage address;
    socklen_t length;
    uint16_t port;
    int invalid = parse_address(peer, 9, &address, &length);
    if (invalid) return invalid;
    // Connecting a datagram socket looks up the route, and sends nothing.
    int fd = platform_socket(address.ss_family, SOCK_DGRAM);
    if (fd < 0) return fd;
    if (connect(fd, (struct sockaddr *)&address, length) < 0) return failed(fd);
    int status = headgate_socket_address(fd, false, ip, capacity, &port);
    close(fd);
    return status;
}
