// Times that were measured, and what is printed of them.
#ifndef SAMPLES_H
#define SAMPLES_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t *values;
    size_t count, room;
} Samples;

// Ends the program where there is no memory.
void samples_reserve(Samples *samples, size_t room);

// Beyond the room that was reserved values are left out.
static inline void samples_add(Samples *samples, uint64_t nanoseconds) {
    if (samples->count < samples->room) samples->values[samples->count++] = nanoseconds;
}

// Prints `"name":{"p50":12.3,...},` in microseconds; nothing when there are none. Sorts.
void samples_print(Samples *samples, const char *name);

#endif
