#define _GNU_SOURCE
#include "platform.h"

#include "CHeadgate.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <malloc.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int platform_socket(int family, int type) {
    int fd = socket(family, type | SOCK_CLOEXEC | (type == SOCK_STREAM ? SOCK_NONBLOCK : 0), 0);
    return fd < 0 ? -errno : fd;
}

int platform_accept(int fd) {
    int accepted = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    return accepted < 0 ? -errno : accepted;
}

int platform_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) < 0 ? -errno : 0; }

void platform_close_from(int first) { close_range((unsigned)first, ~0u, 0); }

void platform_die_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }

pid_t platform_fork_sibling(void) { return (pid_t)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL); }

pid_t headgate_handover_creator(int fd) {
    struct ucred creator;
    socklen_t length = sizeof creator;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &creator, &length) < 0 ? getppid() : creator.pid;
}

void platform_name_process(const char *name) { prctl(PR_SET_NAME, name); }

bool platform_is_of_terminal(const siginfo_t *info) { return info->si_code == SI_KERNEL; }

struct headgate_wakeup headgate_wakeup_create(void) {
    int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return (struct headgate_wakeup){.reading = fd, .writing = fd};
}

void headgate_wakeup_destroy(struct headgate_wakeup wakeup) {
    if (wakeup.reading >= 0) close(wakeup.reading);
}

void headgate_wakeup_signal(struct headgate_wakeup wakeup) { eventfd_write(wakeup.writing, 1); }

void headgate_wakeup_clear(struct headgate_wakeup wakeup) {
    eventfd_t count;
    eventfd_read(wakeup.reading, &count);
}

struct headgate_signal {
    sem_t semaphore;
};

struct headgate_signal *headgate_signal_create(void) {
    struct headgate_signal *signal = malloc(sizeof *signal);
    if (signal) sem_init(&signal->semaphore, 0, 0);
    return signal;
}

void headgate_signal_destroy(struct headgate_signal *signal) {
    sem_destroy(&signal->semaphore);
    free(signal);
}

void headgate_signal_raise(struct headgate_signal *signal) { sem_post(&signal->semaphore); }

void headgate_signal_wait(struct headgate_signal *signal) {
    while (sem_wait(&signal->semaphore) < 0) {}
}

bool headgate_signal_wait_at_most(struct headgate_signal *signal, uint64_t nanoseconds) {
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    uint64_t fraction = (uint64_t)end.tv_nsec + nanoseconds;
    end.tv_sec += (time_t)(fraction / 1000000000u);
    end.tv_nsec = (long)(fraction % 1000000000u);
    while (sem_clockwait(&signal->semaphore, CLOCK_MONOTONIC, &end) < 0)
        if (errno == ETIMEDOUT) return false;
    return true;
}

void headgate_tune_allocator(int threads) {
    mallopt(M_ARENA_MAX, threads);
    mallopt(M_TOP_PAD, 256 * 1024);
    mallopt(M_TRIM_THRESHOLD, 1024 * 1024);
}

void headgate_protect_memory(void) {
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_DUMPABLE, 0);
}

int headgate_random_bytes(void *buffer, size_t count) {
    uint8_t *next = buffer;
    while (count > 0) {
        ssize_t got = getrandom(next, count, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -errno;
        next += got;
        count -= (size_t)got;
    }
    return 0;
}

int headgate_reserve_space(int fd, off_t size) { return -posix_fallocate(fd, 0, size); }

int headgate_watch_child(pid_t pid) {
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    return fd < 0 ? -errno : fd;
}

int headgate_unread_of_departed(int fd) {
    struct pollfd socket = {.fd = fd, .events = POLLRDHUP};
    if (poll(&socket, 1, 0) != 1) return -1;
    int unread = 0;
    if (socket.revents & (POLLERR | POLLHUP | POLLNVAL) || ioctl(fd, FIONREAD, &unread) < 0) return -2;
    return unread;
}

void headgate_probe_peer(int fd) {
    int on = 1, idle = 30, interval = 15;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
}

int headgate_unacknowledged(int fd) {
    int count = 0;
    return ioctl(fd, SIOCOUTQ, &count) < 0 ? 0 : count;
}

void *headgate_secret_map(size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    madvise(memory, size, MADV_DONTDUMP);
    return memory;
}

void headgate_secret_wipe(void *memory, size_t size) { explicit_bzero(memory, size); }

void headgate_secret_unmap(void *memory, size_t size) { munmap(memory, size); }
