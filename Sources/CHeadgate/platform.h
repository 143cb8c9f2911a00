// Functions that depend on the system: `platform+Linux.c`, or `platform+Portable.c`, which uses only POSIX. One of the
// two is built (HEADGATE_PORTABLE in Package.swift).
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/types.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

/// Return a close-on-exec socket, which is also non-blocking if it is a stream, or a negative errno.
int platform_socket(int family, int type);
int platform_accept(int fd);
/// Creates a pipe whose ends are close-on-exec. Returns 0 or a negative errno.
int platform_pipe(int ends[2]);
/// Closes every descriptor from this one on. For use between fork and exec.
void platform_close_from(int first);
/// Makes the kernel kill this process with the thread that forked, if the system can. For use between fork and exec.
void platform_die_with_parent(void);
/// Forks a child of this process's parent, if the system can; otherwise of this process.
pid_t platform_fork_sibling(void);
/// Sets the name that process lists show, for a fork that does not exec a program.
void platform_name_process(const char *name);
/// Returns whether the terminal has sent a signal.
bool platform_is_of_terminal(const siginfo_t *info);
#ifdef __linux__
/// Defined in `getpeereid+Linux.c`; macOS and the BSDs have this function.
int getpeereid(int fd, uid_t *user, gid_t *group);
#endif
