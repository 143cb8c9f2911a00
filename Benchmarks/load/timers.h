// Scheduled writes, in a binary heap.
#ifndef TIMERS_H
#define TIMERS_H

#include <stdint.h>

typedef struct {
    uint64_t due;
    // Position in the heap, or -1.
    int place;
} Timer;

enum { TIMERS_MAX = 16384 };

void timers_set(Timer *timer, uint64_t due);
void timers_remove(Timer *timer);

// Returns the timer that is due first, or NULL.
Timer *timers_first(void);

#endif
