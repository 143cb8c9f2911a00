// The functions that libFuzzer calls. Its own main function takes the options after the name of a target.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Defined in Sources/HeadgateFuzzing.
int headgate_fuzz_target(const char *name);
void headgate_fuzz(int target, const uint8_t *bytes, ptrdiff_t count);

static int target = -1;

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    if (*count > 1) target = headgate_fuzz_target((*arguments)[1]);
    if (target < 0) {
        fprintf(stderr, "headgate-fuzz TARGET [libFuzzer's options] [CORPUS ...]\n");
        exit(64);
    }
    for (int index = 1; index < *count; index++) (*arguments)[index] = (*arguments)[index + 1];
    *count -= 1;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    headgate_fuzz(target, bytes, (ptrdiff_t)count);
    return 0;
}
