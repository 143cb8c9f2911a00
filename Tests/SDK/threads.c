// A process that is given no more threads after so many, as under RLIMIT_NPROC or a pids cgroup; root has no such limit
// of its own.
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
