// Stands before fork: a process that forks with SIGTERM blocked is sent one before, and another thread takes it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>

pid_t fork(void) {
    sigset_t blocked, waiting;
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    if (sigismember(&blocked, SIGTERM) && !sigismember(&blocked, SIGSEGV)) {
        kill(getpid(), SIGTERM);
        do {
            usleep(1000);
            sigpending(&waiting);
        } while (sigismember(&waiting, SIGTERM));
        // Its handler has returned, too.
        usleep(200000);
    }
    return ((pid_t(*)(void))dlsym(RTLD_NEXT, "fork"))();
}
