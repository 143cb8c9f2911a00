#include "options.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

Options options = {.connections = 1, .requests = 1, .burst = 1, .key = ""};

void die(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("load: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    exit(1);
}

void options_parse(int count, char **arguments) {
    static const struct option names[] = {
        {"port", 1, 0, 'p'},   {"key", 1, 0, 'k'},      {"connections", 1, 0, 'c'}, {"requests", 1, 0, 'n'},
        {"events", 1, 0, 'e'}, {"interval", 1, 0, 'i'}, {"burst", 1, 0, 'b'},       {"ramp", 1, 0, 'r'},
        {"marks", 0, 0, 'm'},  {"contents", 0, 0, 'o'}, {0, 0, 0, 0}};
    int name;
    while ((name = getopt_long(count, arguments, "", names, NULL)) >= 0) {
        unsigned number = optarg ? (unsigned)strtoul(optarg, NULL, 10) : 0;
        switch (name) {
        case 'p': options.port = number; break;
        case 'k': options.key = optarg; break;
        case 'c': options.connections = number; break;
        case 'n': options.requests = number; break;
        case 'e': options.events = number; break;
        case 'i': options.interval = number; break;
        case 'b': options.burst = number; break;
        case 'r': options.ramp = number; break;
        case 'm': options.marks = 1; break;
        case 'o': options.contents_only = 1; break;
        default:
            die("usage: load --port N [--key K] [--connections N] [--requests N] [--events N] [--interval MS] "
                "[--burst N] [--ramp MS] [--marks] [--contents]");
        }
    }
    if (options.port == 0 || options.connections == 0 || options.requests == 0) die("a port, connections, requests");
    if (options.ramp > 0 && options.requests > options.connections) die("a ramp takes one request per connection");
}
