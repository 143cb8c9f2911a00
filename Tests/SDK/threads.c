// Limits the number of threads that a process can start, like RLIMIT_NPROC or a pids cgroup. RLIMIT_NPROC does not
// apply to root.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
    static atomic_int made;
    const char *allowed = getenv("TEST_THREADS");
    if (allowed && atomic_fetch_add(&made, 1) >= atoi(allowed)) return EAGAIN;
    return ((create)dlsym(RTLD_NEXT, "pthread_create"))(thread, attributes, body, argument);
}
