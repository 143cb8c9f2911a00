// The start of every program of the benchmark.
#ifndef START_H
#define START_H

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>

// Turns off timer slack, raises the limit of open files, and makes the kernel end the process when the runner dies.
static inline void start_process(void) {
    // With the default slack, the kernel can deliver a timer 50 us late.
    prctl(PR_SET_TIMERSLACK, 1);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

#endif
