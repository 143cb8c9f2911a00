#include "samples.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *name;
    double part;
} quantiles[] = {{"p0", 0},     {"p10", 0.1},    {"p25", 0.25},    {"p50", 0.5},      {"p75", 0.75},       {"p90", 0.9},
                 {"p95", 0.95}, {"p99", 0.99}, {"p99.5", 0.995}, {"p99.9", 0.999}, {"p99.99", 0.9999}, {"p100", 1}};

void samples_reserve(Samples *samples, size_t room) {
    samples->values = malloc((room > 0 ? room : 1) * sizeof *samples->values);
    samples->room = room;
    if (samples->values) return;
    fputs("load: out of memory\n", stderr);
    exit(1);
}

static int ascending(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void samples_print(Samples *samples, const char *name) {
    if (samples->count == 0) return;
    qsort(samples->values, samples->count, sizeof *samples->values, ascending);
    printf("\"%s\":{", name);
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++) {
        size_t place = (size_t)((double)(samples->count - 1) * quantiles[i].part);
        printf("%s\"%s\":%.1f", i > 0 ? "," : "", quantiles[i].name, (double)samples->values[place] / 1000);
    }
    printf("},");
}
