// How every program of the benchmark begins.
#ifndef START_H
#define START_H

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>

// Timers without slack, as many files as allowed, and an end when the runner dies without a chance to end it.
static inline void start_process(void) {
    // With the default the kernel may deliver a timer 50 us late.
    prctl(PR_SET_TIMERSLACK, 1);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

#endif
