// Counts what a process allocates, and says so on the standard error when it ends. Loaded with LD_PRELOAD.
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

// glibc's own names for what is replaced here: no look-up, which would itself allocate.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static unsigned long allocations, bytes;

static void note(size_t size) {
    __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&bytes, size, __ATOMIC_RELAXED);
}

void *malloc(size_t size) {
    note(size);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    note(count * size);
    return __libc_calloc(count, size);
}

// An array that grows in place is an allocation too: the next one will not find the room.
void *realloc(void *memory, size_t size) {
    note(size);
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    note(size);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
    void *found = memalign(alignment, size);
    if (!found) return ENOMEM;
    *memory = found;
    return 0;
}

__attribute__((destructor)) static void report(void) {
    unsigned long count = allocations, octets = bytes;
    char line[96];
    int length = snprintf(line, sizeof line, "allocations %lu bytes %lu\n", count, octets);
    if (write(STDERR_FILENO, line, (size_t)length) != length) _exit(1);
}
