#define _GNU_SOURCE
#include "platform.h"

#include "CHeadgate.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// A program that another thread starts between two of these calls inherits the descriptor, but closes all descriptors
// that it does not know (platform_close_from).
static int prepared(int fd, bool is_stream) {
    if (fd < 0) return -errno;
    int flags = fcntl(fd, F_GETFL);
    if (fcntl(fd, F_SETFD, FD_CLOEXEC) < 0 || flags < 0 ||
        (is_stream && fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0)) {
        int error = errno;
        close(fd);
        return -error;
    }
#ifdef SO_NOSIGPIPE
    int on = 1;
    setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
    return fd;
}

int platform_socket(int family, int type) { return prepared(socket(family, type, 0), type == SOCK_STREAM); }

int platform_accept(int fd) { return prepared(accept(fd, NULL, NULL), true); }

int platform_pipe(int ends[2]) {
    if (pipe(ends) < 0) return -errno;
    for (int end = 0; end < 2; end++) fcntl(ends[end], F_SETFD, FD_CLOEXEC);
    return 0;
}

void platform_close_from(int first) {
    struct rlimit limit;
    // Only thousands of connections use higher numbers, and their sockets are close-on-exec.
    int end = 65536;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < (rlim_t)end) end = (int)limit.rlim_cur;
    for (int fd = first; fd < end; fd++) close(fd);
}

// The caretaker kills the child's group when this process has ended.
void platform_die_with_parent(void) {}

pid_t platform_fork_sibling(void) { return fork(); }

pid_t headgate_handover_creator(int fd) {
    (void)fd;
    // There, a successor is always a child (platform_fork_sibling).
    return getppid();
}

void platform_name_process(const char *name) { (void)name; }

bool platform_is_of_terminal(const siginfo_t *info) { return info->si_code != SI_USER && info->si_pid == 0; }

struct headgate_wakeup headgate_wakeup_create(void) {
    int ends[2];
    if (platform_pipe(ends) < 0) return (struct headgate_wakeup){.reading = -1, .writing = -1};
    for (int end = 0; end < 2; end++) fcntl(ends[end], F_SETFL, O_NONBLOCK);
    return (struct headgate_wakeup){.reading = ends[0], .writing = ends[1]};
}

void headgate_wakeup_destroy(struct headgate_wakeup wakeup) {
    if (wakeup.reading < 0) return;
    close(wakeup.reading);
    close(wakeup.writing);
}

void headgate_wakeup_signal(struct headgate_wakeup wakeup) {
    // A full pipe also wakes the loop.
    ssize_t written = write(wakeup.writing, "", 1);
    (void)written;
}

void headgate_wakeup_clear(struct headgate_wakeup wakeup) {
    char bytes[256];
    while (read(wakeup.reading, bytes, sizeof bytes) == sizeof bytes) {}
}

struct headgate_signal {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    unsigned count;
};

struct headgate_signal *headgate_signal_create(void) {
    struct headgate_signal *signal = calloc(1, sizeof *signal);
    if (!signal) return NULL;
    pthread_mutex_init(&signal->mutex, NULL);
    pthread_cond_init(&signal->condition, NULL);
    return signal;
}

void headgate_signal_destroy(struct headgate_signal *signal) {
    pthread_cond_destroy(&signal->condition);
    pthread_mutex_destroy(&signal->mutex);
    free(signal);
}

void headgate_signal_raise(struct headgate_signal *signal) {
    pthread_mutex_lock(&signal->mutex);
    signal->count++;
    pthread_cond_signal(&signal->condition);
    pthread_mutex_unlock(&signal->mutex);
}

void headgate_signal_wait(struct headgate_signal *signal) {
    pthread_mutex_lock(&signal->mutex);
    while (signal->count == 0) pthread_cond_wait(&signal->condition, &signal->mutex);
    signal->count--;
    pthread_mutex_unlock(&signal->mutex);
}

bool headgate_signal_wait_at_most(struct headgate_signal *signal, uint64_t nanoseconds) {
    uint64_t end = headgate_monotonic_nanoseconds() + nanoseconds;
    pthread_mutex_lock(&signal->mutex);
    while (signal->count == 0) {
        uint64_t now = headgate_monotonic_nanoseconds();
        if (now >= end) break;
        // Conditions wait on the real-time clock, which can be set, so each wait lasts at most a second.
        uint64_t step = end - now < 1000000000u ? end - now : 1000000000u;
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        uint64_t fraction = (uint64_t)until.tv_nsec + step;
        until.tv_sec += (time_t)(fraction / 1000000000u);
        until.tv_nsec = (long)(fraction % 1000000000u);
        pthread_cond_timedwait(&signal->condition, &signal->mutex, &until);
    }
    bool taken = signal->count > 0;
    if (taken) signal->count--;
    pthread_mutex_unlock(&signal->mutex);
    return taken;
}

void headgate_tune_allocator(int threads) { (void)threads; }

void headgate_protect_memory(void) {
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
}

int headgate_random_bytes(void *buffer, size_t count) {
    uint8_t *next = buffer;
    while (count > 0) {
        // getentropy returns at most 256 bytes at once.
        size_t part = count < 256 ? count : 256;
        if (getentropy(next, part) < 0) return -errno;
        next += part;
        count -= part;
    }
    return 0;
}

int headgate_reserve_space(int fd, off_t size) {
#ifdef F_PREALLOCATE
    fstore_t space = {.fst_flags = F_ALLOCATEALL, .fst_posmode = F_PEOFPOSMODE, .fst_length = size};
    if (fcntl(fd, F_PREALLOCATE, &space) < 0) return -errno;
    return ftruncate(fd, size) < 0 ? -errno : 0;
#else
    return -posix_fallocate(fd, 0, size);
#endif
}

int headgate_watch_child(pid_t pid) {
    (void)pid;
    return -ENOSYS;
}

int headgate_unread_of_departed(int fd) {
    struct pollfd socket = {.fd = fd};
    if (poll(&socket, 1, 0) == 1 && socket.revents & (POLLERR | POLLNVAL)) return -2;
    // An end without an error is visible only after everything before it has been read.
    char byte;
    ssize_t count = recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    if (count < 0 && errno != EAGAIN && errno != EINTR) return -2;
    return count == 0 ? 0 : -1;
}

void headgate_probe_peer(int fd) {
    int on = 1, interval = 15;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
#ifdef TCP_KEEPALIVE
    int idle = 30;
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPALIVE, &idle, sizeof idle);
#endif
}

int headgate_unacknowledged(int fd) {
    int count = 0;
#ifdef SO_NWRITE
    socklen_t length = sizeof count;
    return getsockopt(fd, SOL_SOCKET, SO_NWRITE, &count, &length) < 0 ? 0 : count;
#else
    return ioctl(fd, TIOCOUTQ, &count) < 0 ? 0 : count;
#endif
}

// Core dumps are off for the whole process (headgate_protect_memory).
void *headgate_secret_map(size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void headgate_secret_wipe(void *memory, size_t size) {
    volatile unsigned char *bytes = memory;
    while (size--) *bytes++ = 0;
}

void headgate_secret_unmap(void *memory, size_t size) { munmap(memory, size); }
