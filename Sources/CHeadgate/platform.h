// What each system has in its own way: `platform+Linux.c`, or `platform+Portable.c` with what POSIX has. One of the two
// is built (HEADGATE_PORTABLE in Package.swift).
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/types.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

/// Sockets are close-on-exec, and streams non-blocking; a negative errno.
int platform_socket(int family, int type);
int platform_accept(int fd);
/// Both ends close-on-exec; 0 or a negative errno.
int platform_pipe(int ends[2]);
/// Between fork and exec: closes every descriptor from 3 on.
void platform_close_others(void);
/// Between fork and exec: killed with the thread that forked, where the system can.
void platform_die_with_parent(void);
/// Between fork and exec, of a process that becomes no program: what a list of processes calls it.
void platform_name_process(const char *name);
/// Whether the terminal has sent a signal.
bool platform_is_of_terminal(const siginfo_t *info);
#ifdef __linux__
/// Of `getpeereid+Linux.c`; macOS and the BSDs have it.
int getpeereid(int fd, uid_t *user, gid_t *group);
#endif
