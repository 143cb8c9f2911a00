#define _GNU_SOURCE
#include "CHeadgate.h"
#include "platform.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

static const int forwarded[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
enum { forwarded_count = sizeof forwarded / sizeof *forwarded };

static atomic_int foreground_child;
// One bit for each signal that waits until its recipient is known. The calling thread blocks these signals at first, so
// other threads receive them.
static atomic_uint waiting_signals;

static void pass_on(pid_t child) {
    unsigned signals = atomic_exchange(&waiting_signals, 0);
    for (int index = 0; index < forwarded_count; index++)
        if (signals & 1u << forwarded[index]) kill(child, forwarded[index]);
}

static void forward(int number, siginfo_t *info, void *context) {
    (void)context;
    // The terminal signals the whole group, including the child as soon as it is in the group.
    if (platform_is_of_terminal(info) && atomic_load(&foreground_child) > 0) return;
    int error = errno;
    atomic_fetch_or(&waiting_signals, 1u << number);
    // Read after the signal was noted: of this handler and the thread that sets the child, the later one sees the
    // other's write.
    pid_t child = atomic_load(&foreground_child);
    if (child > 0) pass_on(child);
    errno = error;
}

static bool has_terminal(void) {
    int terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
    if (terminal >= 0) close(terminal);
    return terminal >= 0;
}

// Waits for the child's end. If the child stops, this process stops, too: the shell takes the terminal back only from
// this process, and continues only this process.
static void wait_for(pid_t child, int *status) {
    while (true) {
        pid_t pid = waitpid(child, status, WUNTRACED);
        if (pid < 0 && errno == EINTR) continue;
        if (pid < 0 || !WIFSTOPPED(*status)) return;
        // Without a terminal no one would continue this process, but someone can continue the child.
        if (!has_terminal()) continue;
        raise(SIGSTOP);
        kill(child, SIGCONT);
    }
}

extern char **environ;

int headgate_become(char *const arguments[], char *const environment[]) {
    char **before = environ;
    environ = (char **)environment;
    execvp(arguments[0], arguments);
    environ = before;
    return -errno;
}

int headgate_run_in_foreground(char *const arguments[], char *const environment[], int *status) {
    int report[2];
    int failure = platform_pipe(report);
    if (failure < 0) return failure;
    sigset_t waiting, before;
    sigemptyset(&waiting);
    for (int index = 0; index < forwarded_count; index++) sigaddset(&waiting, forwarded[index]);
    // The child must not run this process's handlers.
    pthread_sigmask(SIG_BLOCK, &waiting, &before);
    atomic_store(&waiting_signals, 0);
    struct sigaction old[forwarded_count], action = {.sa_sigaction = forward, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (int index = 0; index < forwarded_count; index++) sigaction(forwarded[index], &action, &old[index]);
    pid_t pid = fork();
    if (pid == 0) {
        // The program ignores the signals that the caller ignores, as under nohup.
        for (int index = 0; index < forwarded_count; index++) sigaction(forwarded[index], &old[index], NULL);
        sigprocmask(SIG_SETMASK, &before, NULL);
        int error = -headgate_become(arguments, environment);
        ssize_t written = write(report[1], &error, sizeof error);
        _exit(written < 0 ? 126 : 127);
    }
    int error = pid < 0 ? errno : 0;
    close(report[1]);
    if (pid > 0) {
        atomic_store(&foreground_child, pid);
        pass_on(pid);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        ssize_t got;
        while ((got = read(report[0], &error, sizeof error)) < 0 && errno == EINTR) {}
        if (got != sizeof error) error = 0;
        wait_for(pid, status);
    }
    atomic_store(&foreground_child, 0);
    close(report[0]);
    for (int index = 0; index < forwarded_count; index++) sigaction(forwarded[index], &old[index], NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return -error;
}
