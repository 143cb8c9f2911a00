#define _GNU_SOURCE
#include "CHeadgate.h"
#include "platform.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

static int socket_option(int fd, int option, int *value) {
    socklen_t length = sizeof *value;
    return getsockopt(fd, SOL_SOCKET, option, value, &length) < 0 ? -errno : 0;
}

int headgate_adopt_listener(int fd) {
    int type, listening, error;
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if ((error = socket_option(fd, SO_TYPE, &type)) < 0) return error;
    if (getsockname(fd, (struct sockaddr *)&address, &length) < 0) return -errno;
    int family = address.ss_family;
    if ((error = socket_option(fd, SO_ACCEPTCONN, &listening)) < 0) return error;
    if (family != AF_INET && family != AF_INET6 && family != AF_UNIX) return -EAFNOSUPPORT;
    if (type != SOCK_STREAM) return -EPROTOTYPE;
    if (!listening) return -EINVAL;
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) < 0) return -errno;
    return 0;
}

int headgate_unix_address(int fd, char *text, size_t capacity) {
    struct sockaddr_un address;
    socklen_t length = sizeof address;
    if (getsockname(fd, (struct sockaddr *)&address, &length) < 0) return -errno;
    if (address.sun_family != AF_UNIX) return -EAFNOSUPPORT;
    size_t count = length - offsetof(struct sockaddr_un, sun_path);
    if (count == 0 || capacity <= count) return -EINVAL;
    memcpy(text, address.sun_path, count);
    text[count] = 0;
    // An abstract name begins with a zero byte, which is written as @.
    if (text[0] == 0) text[0] = '@';
    return 0;
}

int headgate_datagram_socket(int milliseconds) {
    int fd = platform_socket(AF_UNIX, SOCK_DGRAM);
    if (fd < 0) return fd;
    struct timeval patience = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    return fd;
}

int headgate_send_datagram(int fd, const char *address, const void *bytes, size_t count) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    size_t length = strlen(address);
    if (length == 0 || length >= sizeof to.sun_path) return -ENAMETOOLONG;
    memcpy(to.sun_path, address, length);
    if (address[0] == '@') to.sun_path[0] = 0;
    // Only the length marks the end of an abstract name; a path may or may not end in a zero byte.
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    ssize_t sent;
    do sent = sendto(fd, bytes, count, MSG_NOSIGNAL, (struct sockaddr *)&to, size);
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : 0;
}
