#define _GNU_SOURCE
#include "CHeadgate.h"
#include "platform.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int headgate_handover_pair(int ends[2]) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) return -errno;
    for (int end = 0; end < 2; end++) fcntl(ends[end], F_SETFD, FD_CLOEXEC);
    return 0;
}

int headgate_handover_wait(int fd, int milliseconds) {
    struct pollfd socket = {.fd = fd, .events = POLLIN};
    int ready = poll(&socket, 1, milliseconds);
    return ready < 0 && errno != EINTR ? -errno : ready > 0;
}

// Room for the descriptors of one message, aligned as the kernel requires.
union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(HEADGATE_HANDOVER_DESCRIPTORS * sizeof(int))];
};

ssize_t headgate_handover_send(int fd, const void *bytes, size_t count, const int *descriptors, size_t passed) {
    union control control;
    struct iovec data = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
    if (passed > HEADGATE_HANDOVER_DESCRIPTORS) return -EINVAL;
    if (passed > 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(passed * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(passed * sizeof(int));
        memcpy(CMSG_DATA(header), descriptors, passed * sizeof(int));
    }
    ssize_t sent;
    do sent = sendmsg(fd, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : sent;
}

ssize_t headgate_handover_receive(int fd, void *bytes, size_t capacity, int *descriptors, size_t *passed) {
    union control control;
    struct iovec data = {.iov_base = bytes, .iov_len = capacity};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    *passed = 0;
    ssize_t received;
    do received = recvmsg(fd, &message, 0);
    while (received < 0 && errno == EINTR);
    if (received < 0) return -errno;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < count; index++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + index * sizeof(int), sizeof descriptor);
            fcntl(descriptor, F_SETFD, FD_CLOEXEC);
            if (*passed < HEADGATE_HANDOVER_DESCRIPTORS) descriptors[(*passed)++] = descriptor;
            else close(descriptor);
        }
    }
    return message.msg_flags & MSG_CTRUNC ? -EMSGSIZE : received;
}

pid_t headgate_spawn_successor(const char *path, char *const arguments[], char *const environment[], int control,
    bool ignores_hangup, bool is_sibling) {
    // If a signal reached the child before its exec, the parent's handler would run there and wake the parent's loop.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = is_sibling ? platform_fork_sibling() : fork();
    if (pid == 0) {
        // Only async-signal-safe calls are allowed here. Ignored signals stay ignored, as under nohup.
        for (int number = 1; number < NSIG; number++) {
            struct sigaction action;
            if (sigaction(number, NULL, &action) < 0 || action.sa_handler == SIG_IGN) continue;
            signal(number, number == SIGHUP && ignores_hangup ? SIG_IGN : SIG_DFL);
        }
        if (control == HEADGATE_HANDOVER_DESCRIPTOR) fcntl(control, F_SETFD, 0);
        else if (dup2(control, HEADGATE_HANDOVER_DESCRIPTOR) < 0) _exit(127);
        platform_close_from(HEADGATE_HANDOVER_DESCRIPTOR + 1);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        execve(path, arguments, environment);
        _exit(127);
    }
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return pid < 0 ? -error : pid;
}
