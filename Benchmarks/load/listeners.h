// The listening sockets of the mock upstream.
#ifndef LISTENERS_H
#define LISTENERS_H

// Listens on 16 addresses with one port, so that proxies that start one after the other never run out of ports. Adds
// the sockets to the epoll, and returns the port.
unsigned listeners_open(int epoll_descriptor);

// Returns the socket of an epoll event's pointer, or -1 if the pointer is not a listener's.
int listeners_find(const void *pointer);

#endif
