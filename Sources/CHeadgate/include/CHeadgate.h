// Typed shims for features that Swift cannot import: macros, variadic calls, thread-local storage, and fork.
// Functions that can fail return a negative errno.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

// MARK: The current loop

extern _Thread_local void *headgate_current_loop_storage;

/// Returns the event loop that runs on this thread, or NULL.
static inline void *headgate_current_loop(void) { return headgate_current_loop_storage; }
static inline void headgate_set_current_loop(void *loop) { headgate_current_loop_storage = loop; }

// MARK: Threads

/// Starts a thread, which must be joined or detached exactly once. Returns 0 or a negative errno.
int headgate_thread_start(void *(*body)(void *), void *context, uintptr_t *thread);
void headgate_thread_join(uintptr_t thread);
void headgate_thread_detach(uintptr_t thread);

// MARK: Waiting

/// A counting semaphore: each raise releases one wait.
struct headgate_signal;
struct headgate_signal *headgate_signal_create(void);
void headgate_signal_destroy(struct headgate_signal *signal);
void headgate_signal_raise(struct headgate_signal *signal);
void headgate_signal_wait(struct headgate_signal *signal);
/// Waits at most this long on the monotonic clock. Returns whether the signal was raised.
bool headgate_signal_wait_at_most(struct headgate_signal *signal, uint64_t nanoseconds);

// MARK: Wake-up

/// Descriptors with which other threads wake a loop: an eventfd, or the ends of a pipe.
struct headgate_wakeup {
    int reading;  // negative where no descriptor is left
    int writing;
};
struct headgate_wakeup headgate_wakeup_create(void);
void headgate_wakeup_destroy(struct headgate_wakeup wakeup);
void headgate_wakeup_signal(struct headgate_wakeup wakeup);
void headgate_wakeup_clear(struct headgate_wakeup wakeup);

// MARK: Time

/// Returns the time of CLOCK_MONOTONIC in nanoseconds.
uint64_t headgate_monotonic_nanoseconds(void);
/// Returns the time of CLOCK_REALTIME in nanoseconds since 1970.
int64_t headgate_realtime_nanoseconds(void);

// MARK: Sockets (all non-blocking and close-on-exec)

/// Returns a listening TCP socket on a literal IPv4 or IPv6 address, or a negative errno.
int headgate_tcp_listen(const char *ip, uint16_t port, int backlog);
/// Returns a listening Unix socket with the given mode, or a negative errno. Replaces a socket file on which no process
/// accepts connections.
int headgate_unix_listen(const char *path, mode_t mode, int backlog);
/// Returns a value that differs between a file and another one that replaces it at its path; 0 if there is no file.
uint64_t headgate_file_identity(const char *path);
/// Returns the number of unread bytes from a peer that sends nothing more; -1 while the peer can still send, -2 if the
/// connection has failed. The portable build detects the peer's end only after the last byte.
int headgate_unread_of_departed(int fd);
/// Returns the user of the process at the other end of a Unix socket, or a negative errno.
int64_t headgate_peer_uid(int fd);
/// Connects to an address of this machine. Returns a connected socket, or a negative errno: EALREADY if connecting
/// takes time.
int headgate_connect_at_once(const char *ip, uint16_t port);
/// Starts to connect. The socket becomes writable when the attempt has ended.
int headgate_tcp_connect(const char *ip, uint16_t port);
int headgate_unix_connect(const char *path);
/// Accepts one connection. Returns its socket, or a negative errno.
int headgate_accept(int fd);
/// Returns whether a connect has finished, successfully or not.
bool headgate_connect_is_over(int fd);
/// Returns the result of a finished connect: 0, or a negative errno.
int headgate_connect_result(int fd);
/// Sets TCP_NODELAY. Does nothing on a Unix socket. Sockets that a listener accepts inherit the option.
void headgate_disable_delay(int fd);
/// Sends keep-alive probes every 15 s after 30 s of silence. They detect a peer that is gone, and stop middleboxes from
/// dropping a connection whose peer is silent for long. Does nothing on a Unix socket. Sockets that a listener accepts
/// inherit the setting.
void headgate_probe_peer(int fd);
/// Returns whether packets of a connected TCP socket still have a route: its own address still belongs to this machine,
/// and a route exists from it to the peer's address. Queries only the kernel, and sends nothing. True if the answer is
/// unknown.
bool headgate_has_route(int fd);
/// Writes the source address of packets to another IP address; sends nothing. Returns 0 or a negative errno.
int headgate_address_towards(const char *peer, char *ip, size_t capacity);
/// Makes the close of this socket send RST and discard unsent data.
void headgate_reset_on_close(int fd);
/// Limits the kernel's send buffer, so that the gateway's own queue bounds the data that waits for a slow reader.
void headgate_limit_send_buffer(int fd, int bytes);
/// Returns the number of bytes in the send buffer that the peer's system has not acknowledged; 0 if it is unknown.
int headgate_unacknowledged(int fd);
/// Writes the local or remote address of a TCP socket: the textual IP into `ip`, and the port. Returns 0 or a negative
/// errno.
int headgate_socket_address(int fd, bool remote, char *ip, size_t capacity, uint16_t *port);

// MARK: Process

/// Returns zeroed memory for secrets, which core dumps omit; NULL if there is no memory.
void *headgate_secret_map(size_t size);
void headgate_secret_wipe(void *memory, size_t size);
void headgate_secret_unmap(void *memory, size_t size);
/// Raises RLIMIT_NOFILE to its hard limit, and returns the limit that is now in force.
uint64_t headgate_raise_descriptor_limit(void);
/// Limits the number of heaps to `threads`, the number of threads that allocate much, and makes heaps grow and shrink
/// in larger steps. By default, the heap of a thread grows page by page, with a system call for each page.
void headgate_tune_allocator(int threads);
/// Disables core dumps, and, if the system can, prevents other processes of this user from reading this process's
/// memory.
void headgate_protect_memory(void);
/// Opens /dev/null on those of the descriptors 0 to 2 that are closed. Otherwise, the next opened file would be used as
/// a standard stream.
void headgate_open_standard_streams(void);
/// Fills the buffer from the kernel's random generator. Returns 0 or a negative errno.
int headgate_random_bytes(void *buffer, size_t count);

/// Extends a file to at least this size, with disk space for all of it. Returns 0 or a negative errno.
int headgate_reserve_space(int fd, off_t size);

// MARK: Handover to another process of the same program

enum {
    /// The descriptor at which a successor finds its end of the pair.
    HEADGATE_HANDOVER_DESCRIPTOR = 3,
    /// Maximum number of descriptors in one message.
    HEADGATE_HANDOVER_DESCRIPTORS = 80,
};
/// Creates two connected sockets, blocking and close-on-exec. Returns 0 or a negative errno.
int headgate_handover_pair(int ends[2]);
/// Waits for data to read. Returns 1, 0 if the time has passed or a signal interrupted the wait, or a negative errno.
int headgate_handover_wait(int fd, int milliseconds);
/// Sends bytes with copies of descriptors. Returns the number of bytes sent, or a negative errno.
ssize_t headgate_handover_send(int fd, const void *bytes, size_t count, const int *descriptors, size_t passed);
/// Receives bytes and the descriptors that accompany them, which become close-on-exec. Returns the number of bytes, 0
/// at the end, or a negative errno.
ssize_t headgate_handover_receive(int fd, void *bytes, size_t capacity, int *descriptors, size_t *passed);
/// Returns the process that created the pair of this end. It need not be the parent of this process.
pid_t headgate_handover_creator(int fd);
/// Runs a program that outlives this one. The program inherits the standard streams and one end of a pair, and no other
/// descriptor. Returns its process id or a negative errno. Signals that this process ignores stay ignored, as does
/// SIGHUP if `ignores_hangup` is true. If `is_sibling` is true and the system can, the program is a child of this
/// process's parent, which learns of its end.
pid_t headgate_spawn_successor(const char *path, char *const arguments[], char *const environment[], int control,
    bool ignores_hangup, bool is_sibling);

struct headgate_child {
    pid_t pid;
    int input;   // write end of the child's standard input
    int output;  // read end of the child's standard output, non-blocking
};

/// Runs a program in its own process group, with only descriptors 0 to 2. If the system can, the kernel kills the
/// program when the calling thread ends.
int headgate_spawn(const char *path, char *const arguments[], char *const environment[], struct headgate_child *child);
/// Reaps a child without waiting. Returns 1 with its wait status in `status`, 0 while it runs, or a negative errno.
int headgate_reap(pid_t pid, int *status);
/// Does the same as headgate_spawn, with standard error in the same pipe as standard output.
int headgate_spawn_captured(
    const char *path, char *const arguments[], char *const environment[], struct headgate_child *child);
/// Does the same as headgate_spawn, with standard error at /dev/null.
int headgate_spawn_silenced(
    const char *path, char *const arguments[], char *const environment[], struct headgate_child *child);

struct headgate_caretaker {
    pid_t pid;
    int pipe;  // its write end: the caretaker acts when nobody holds it any more
};

/// Starts a small process that outlives this one, however this one ends. It then removes files and empty folders, and
/// kills a process group. It joins that group, so that the group's number cannot be reused in the meantime; with
/// `group` 0 it gets its own group. Returns 0 or a negative errno.
int headgate_caretaker_start(pid_t group, char *const paths[], struct headgate_caretaker *caretaker);
/// Ends the caretaker without any cleanup.
void headgate_caretaker_dismiss(const struct headgate_caretaker *caretaker);

/// Returns a close-on-exec descriptor that becomes readable when the child has ended, or a negative errno if the kernel
/// does not support one.
int headgate_watch_child(pid_t pid);

/// Replaces this process with a program, which is searched for in PATH. Returns only on failure, with a negative errno.
int headgate_become(char *const arguments[], char *const environment[]);
/// Runs a program, which is searched for in PATH, in this process's group and terminal, and waits for its end. In the
/// meantime, forwards signals that other processes send to this one. Returns 0 with the wait status in `status`, or a
/// negative errno if the program could not be started. Only one call can be active at a time.
int headgate_run_in_foreground(char *const arguments[], char *const environment[], int *status);

/// Runs a shell command and returns a stream of its output (popen, which Swift lacks on macOS), or NULL if it cannot be
/// started.
static inline FILE *headgate_open_command(const char *command) { return popen(command, "re"); }
static inline void headgate_close_command(FILE *output) { pclose(output); }

// MARK: Names and addresses

/// An IP address as numbers: an IPv4 address in `low`, or an IPv6 address in both halves.
struct headgate_address {
    uint64_t high;
    uint64_t low;
    bool is_v6;
};

/// Parses a literal address in its usual form (inet_pton). Returns false for anything else.
bool headgate_parse_address(const char *text, struct headgate_address *address);
/// Writes an address in its usual form; a capacity of 46 bytes is enough.
void headgate_format_address(struct headgate_address address, char *text, size_t capacity);
/// Resolves a name with the system's resolver (hosts file, DNS), and waits for the result. Returns the number of
/// addresses, in order of preference, or -1 with the system's message in `problem`.
int headgate_resolve(
    const char *name, struct headgate_address *addresses, int capacity, char *problem, size_t problem_capacity);

// MARK: Service manager

/// Makes an inherited listening socket non-blocking and close-on-exec. Returns 0 or a negative errno: -EBADF or
/// -ENOTSOCK, -EAFNOSUPPORT if it is neither IP nor Unix, -EPROTOTYPE if it is not a stream socket, -EINVAL if it does
/// not listen.
int headgate_adopt_listener(int fd);
/// Writes the local path of a Unix socket, or @ and its abstract name; a capacity of 109 bytes is enough. Returns 0 or
/// a negative errno.
int headgate_unix_address(int fd, char *text, size_t capacity);
/// Returns an unbound Unix datagram socket whose sends wait at most this long, or a negative errno.
int headgate_datagram_socket(int milliseconds);
/// Sends one datagram to a path, or to @ and an abstract name. Returns 0 or a negative errno.
int headgate_send_datagram(int fd, const char *address, const void *bytes, size_t count);
