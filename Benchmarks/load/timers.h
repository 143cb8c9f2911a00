// The writes that are due later: a binary heap.
#ifndef TIMERS_H
#define TIMERS_H

#include <stdint.h>

typedef struct {
    uint64_t due;
    // Place in the heap, or -1.
    int place;
} Timer;

enum { TIMERS_MAX = 16384 };

void timers_set(Timer *timer, uint64_t due);
void timers_remove(Timer *timer);

// The one that is due first, or NULL.
Timer *timers_first(void);

#endif
