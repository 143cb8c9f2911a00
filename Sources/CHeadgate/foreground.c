#define _GNU_SOURCE
#include "CHeadgate.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static const int forwarded[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
enum { forwarded_count = sizeof forwarded / sizeof *forwarded };

static volatile sig_atomic_t foreground_child;

static void forward(int number, siginfo_t *info, void *context) {
    (void)context;
    // What the terminal sends, it sends to the whole group.
    if (info->si_code == SI_KERNEL || foreground_child <= 0) return;
    int error = errno;
    kill(foreground_child, number);
    errno = error;
}

int headgate_become(char *const arguments[], char *const environment[]) {
    execvpe(arguments[0], arguments, environment);
    return -errno;
}

int headgate_run_in_foreground(char *const arguments[], char *const environment[], int *status) {
    int report[2];
    if (pipe2(report, O_CLOEXEC) < 0) return -errno;
    // Signals wait until it is known whom they go to.
    sigset_t waiting, before;
    sigemptyset(&waiting);
    for (int index = 0; index < forwarded_count; index++) sigaddset(&waiting, forwarded[index]);
    pthread_sigmask(SIG_BLOCK, &waiting, &before);
    struct sigaction old[forwarded_count], action = {.sa_sigaction = forward, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (int index = 0; index < forwarded_count; index++) sigaction(forwarded[index], &action, &old[index]);
    pid_t pid = fork();
    if (pid == 0) {
        // What our caller ignores, as under nohup, the program is to ignore too.
        for (int index = 0; index < forwarded_count; index++) sigaction(forwarded[index], &old[index], NULL);
        sigprocmask(SIG_SETMASK, &before, NULL);
        execvpe(arguments[0], arguments, environment);
        int error = errno;
        ssize_t written = write(report[1], &error, sizeof error);
        _exit(written < 0 ? 126 : 127);
    }
    int error = pid < 0 ? errno : 0;
    close(report[1]);
    if (pid > 0) {
        foreground_child = pid;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        ssize_t got;
        while ((got = read(report[0], &error, sizeof error)) < 0 && errno == EINTR) {}
        if (got != sizeof error) error = 0;
        while (waitpid(pid, status, 0) < 0 && errno == EINTR) {}
    }
    foreground_child = 0;
    close(report[0]);
    for (int index = 0; index < forwarded_count; index++) sigaction(forwarded[index], &old[index], NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return -error;
}
