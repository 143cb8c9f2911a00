#define _GNU_SOURCE
#include "CHeadgate.h"
#include "platform.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

_Thread_local void *headgate_current_loop_storage = NULL;

int headgate_thread_start(void *(*body)(void *), void *context, uintptr_t *thread) {
    pthread_t started;
    int error = pthread_create(&started, NULL, body, context);
    // pthread_t is a number on some systems, and a pointer on others.
    if (!error) *thread = (uintptr_t)started;
    return -error;
}

void headgate_thread_join(uintptr_t thread) { pthread_join((pthread_t)thread, NULL); }

void headgate_thread_detach(uintptr_t thread) { pthread_detach((pthread_t)thread); }

uint64_t headgate_monotonic_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int64_t headgate_realtime_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

uint64_t headgate_raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return 1024;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) < 0) {
#ifdef OPEN_MAX
        // macOS does not allow more, even if its hard limit is higher.
        limit.rlim_cur = OPEN_MAX;
        setrlimit(RLIMIT_NOFILE, &limit);
#endif
    }
    getrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur;
}

void headgate_open_standard_streams(void) {
    // open returns the lowest free number, and all lower ones are open by then.
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) open("/dev/null", O_RDWR);
}

// Only async-signal-safe calls are allowed between fork and exec, because other threads can hold any lock at the moment
// of the fork.
static void become(
    const char *path, char *const arguments[], char *const environment[], int input, int output, pid_t parent) {
    setpgid(0, 0);
    platform_die_with_parent();
    if (getppid() != parent) _exit(127);  // the parent ended before the line above took effect
    if (dup2(input, 0) < 0 || dup2(output, 1) < 0) _exit(127);
    platform_close_from(3);
    // Every handler is the parent's, so signals are unblocked only after their reset.
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(path, arguments, environment);
    _exit(127);
}

enum error_output { INHERITED, CAPTURED, DISCARDED };

static int spawn(
    const char *path, char *const arguments[], char *const environment[], enum error_output errors,
    struct headgate_child *child) {
    int input[2], output[2];
    int failure = platform_pipe(input);
    if (failure < 0) return failure;
    if ((failure = platform_pipe(output)) < 0) {
        close(input[0]);
        close(input[1]);
        return failure;
    }
    pid_t parent = getpid();
    // If a signal reached the child before its exec, the parent's handler would run there and wake the parent's loop.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = fork();
    // The parent also sets the group, which must exist before anyone uses it.
    if (pid > 0) setpgid(pid, pid);
    if (pid == 0) {
        int target = errors == CAPTURED ? output[1] : errors == DISCARDED ? open("/dev/null", O_WRONLY) : 2;
        if (target < 0 || dup2(target, 2) < 0) _exit(127);
        become(path, arguments, environment, input[0], output[1], parent);
    }
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(input[0]);
    close(output[1]);
    if (pid < 0) {
        close(input[1]);
        close(output[0]);
        return -error;
    }
    fcntl(output[0], F_SETFL, O_NONBLOCK);
    child->pid = pid;
    child->input = input[1];
    child->output = output[0];
    return 0;
}

int headgate_reap(pid_t pid, int *status) {
    pid_t reaped = waitpid(pid, status, WNOHANG);
    if (reaped < 0) return -errno;
    return reaped == pid ? 1 : 0;
}

int headgate_spawn(const char *path, char *const arguments[], char *const environment[], struct headgate_child *child) {
    return spawn(path, arguments, environment, INHERITED, child);
}

int headgate_spawn_captured(
    const char *path, char *const arguments[], char *const environment[], struct headgate_child *child) {
    return spawn(path, arguments, environment, CAPTURED, child);
}

int headgate_spawn_silenced(
    const char *path, char *const arguments[], char *const environment[], struct headgate_child *child) {
    return spawn(path, arguments, environment, DISCARDED, child);
}

// Stays in the fork, because there may be no program to exec. Only async-signal-safe calls are allowed, and only the
// stack's memory is written.
static void take_care(int pipe, pid_t group, char *const paths[]) {
    // Every signal stays blocked, because signals that end the group politely are not meant for the caretaker.
    if (setpgid(0, group) < 0) _exit(1);
    // A process that waits for the end of the gateway's output must not wait for the caretaker.
    for (int fd = 0; fd <= 2; fd++) dup2(pipe, fd);
    platform_close_from(3);
    platform_name_process("headgate-care");
    char byte;
    while (read(0, &byte, 1) < 0 && errno == EINTR) {}
    for (; *paths; paths++)
        if (unlink(*paths) < 0) rmdir(*paths);
    kill(0, SIGKILL);
    _exit(0);
}

int headgate_caretaker_start(pid_t group, char *const paths[], struct headgate_caretaker *caretaker) {
    int pipe[2];
    int failure = platform_pipe(pipe);
    if (failure < 0) return failure;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = fork();
    if (pid == 0) {
        close(pipe[1]);
        take_care(pipe[0], group, paths);
    }
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(pipe[0]);
    if (pid < 0) {
        close(pipe[1]);
        return -error;
    }
    caretaker->pid = pid;
    caretaker->pipe = pipe[1];
    return 0;
}

void headgate_caretaker_dismiss(const struct headgate_caretaker *caretaker) {
    // The process is killed before its pipe is closed, because the end of the pipe starts its cleanup.
    kill(caretaker->pid, SIGKILL);
    while (waitpid(caretaker->pid, NULL, 0) < 0 && errno == EINTR) {}
    close(caretaker->pipe);
}
