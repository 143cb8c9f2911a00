// Measured times, and their percentiles.
#ifndef SAMPLES_H
#define SAMPLES_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t *values;
    size_t count, room;
} Samples;

// Reserves room for values; ends the program if there is no memory.
void samples_reserve(Samples *samples, size_t room);

// Adds a value; values beyond the reserved room are dropped.
static inline void samples_add(Samples *samples, uint64_t nanoseconds) {
    if (samples->count < samples->room) samples->values[samples->count++] = nanoseconds;
}

// Sorts the values, and prints `"name":{"p50":12.3,...},` in microseconds. Prints nothing if there are no values.
void samples_print(Samples *samples, const char *name);

#endif
