// Where the mock upstream listens.
#ifndef LISTENERS_H
#define LISTENERS_H

// On 16 addresses and one port, so that proxies which start one after the other never run out of ports. Adds the
// sockets to the epoll and returns the port.
unsigned listeners_open(int epoll_descriptor);

// The socket that an epoll event's pointer stands for, or -1 when it is no listener's.
int listeners_find(const void *pointer);

#endif
