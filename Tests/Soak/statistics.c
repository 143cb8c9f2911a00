// Preloaded into a program: once a second, writes the number of allocated bytes to the file that HEADGATE_SOAK_BYTES
// names.
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *report(void *path) {
    for (;;) {
        struct mallinfo2 now = mallinfo2();
        FILE *file = fopen(path, "w");
        if (file) {
            fprintf(file, "%zu\n", now.uordblks + now.hblkhd);
            fclose(file);
        }
        sleep(1);
    }
    return NULL;
}

__attribute__((constructor)) static void begin(void) {
    char *path = getenv("HEADGATE_SOAK_BYTES");
    pthread_t thread;
    if (path && pthread_create(&thread, NULL, report, path) == 0) pthread_detach(thread);
}
