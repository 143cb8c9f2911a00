// Counts a process's allocations, and the bytes that are live when it ends; prints them to standard error. Loaded with
// LD_PRELOAD.
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

// glibc's own names for the replaced functions. A lookup with dlsym would itself allocate.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

static unsigned long allocations, bytes, live;

// Returns the size of a block in the heap: glibc's rounded size, and the word before the block.
static size_t taken(void *memory) { return memory ? malloc_usable_size(memory) + sizeof(size_t) : 0; }

static void *noted(void *memory, size_t size) {
    __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&bytes, size, __ATOMIC_RELAXED);
    __atomic_add_fetch(&live, taken(memory), __ATOMIC_RELAXED);
    return memory;
}

void *malloc(size_t size) { return noted(__libc_malloc(size), size); }

void *calloc(size_t count, size_t size) { return noted(__libc_calloc(count, size), count * size); }

// Growth in place also counts as an allocation, because the array may have to move the next time.
void *realloc(void *memory, size_t size) {
    size_t before = taken(memory);
    void *moved = __libc_realloc(memory, size);
    if (moved || !size) __atomic_sub_fetch(&live, before, __ATOMIC_RELAXED);
    return noted(moved, size);
}

void *memalign(size_t alignment, size_t size) { return noted(__libc_memalign(alignment, size), size); }

void free(void *memory) {
    __atomic_sub_fetch(&live, taken(memory), __ATOMIC_RELAXED);
    __libc_free(memory);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
    void *found = memalign(alignment, size);
    if (!found) return ENOMEM;
    *memory = found;
    return 0;
}

__attribute__((destructor)) static void report(void) {
    unsigned long count = allocations, octets = bytes, held = live;
    char line[96];
    int length = snprintf(line, sizeof line, "allocations %lu bytes %lu live %lu\n", count, octets, held);
    if (write(STDERR_FILENO, line, (size_t)length) != length) _exit(1);
}
