#include "timers.h"

#include <stddef.h>
#include <stdlib.h>

static Timer *heap[TIMERS_MAX];
static int heap_size;

static void put(int place, Timer *timer) {
    heap[place] = timer;
    timer->place = place;
}

static void settle(int place, Timer *timer) {
    while (place > 0 && heap[(place - 1) / 2]->due > timer->due) {
        put(place, heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    for (int child; (child = 2 * place + 1) < heap_size; place = child) {
        if (child + 1 < heap_size && heap[child + 1]->due < heap[child]->due) child++;
        if (heap[child]->due >= timer->due) break;
        put(place, heap[child]);
    }
    put(place, timer);
}

void timers_remove(Timer *timer) {
    int place = timer->place;
    if (place < 0) return;
    timer->place = -1;
    Timer *last = heap[--heap_size];
    if (last != timer) settle(place, last);
}

void timers_set(Timer *timer, uint64_t due) {
    if (timer->place < 0 && heap_size == TIMERS_MAX) abort();
    timer->due = due;
    settle(timer->place >= 0 ? timer->place : heap_size++, timer);
}

Timer *timers_first(void) { return heap_size > 0 ? heap[0] : NULL; }
