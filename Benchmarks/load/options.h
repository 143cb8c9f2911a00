// The command line of the load generator.
#ifndef OPTIONS_H
#define OPTIONS_H

typedef struct {
    unsigned port, connections, requests, events, interval, burst, ramp, marks, contents_only;
    const char *key;
} Options;

extern Options options;

// Parses the options; ends the program if they are invalid.
void options_parse(int count, char **arguments);

// Prints the reason, and ends the program with status 1.
void __attribute__((noreturn, format(printf, 1, 2))) die(const char *format, ...);

#endif
