// Typed shims over what Swift cannot import: macros, variadic calls, thread-local storage, fork.
// Functions that can fail return a negative errno.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

// MARK: The current loop

extern _Thread_local void *headgate_current_loop_storage;

/// The event loop that runs on this thread, or NULL.
static inline void *headgate_current_loop(void) { return headgate_current_loop_storage; }
static inline void headgate_set_current_loop(void *loop) { headgate_current_loop_storage = loop; }

// MARK: Threads

/// Starts a thread, to be joined or detached once; 0 or a negative errno.
int headgate_thread_start(void *(*body)(void *), void *context, uintptr_t *thread);
void headgate_thread_join(uintptr_t thread);
void headgate_thread_detach(uintptr_t thread);

// MARK: Waiting

/// Counts how often it was raised and not waited for.
struct headgate_signal;
struct headgate_signal *headgate_signal_create(void);
void headgate_signal_destroy(struct headgate_signal *signal);
void headgate_signal_raise(struct headgate_signal *signal);
void headgate_signal_wait(struct headgate_signal *signal);
/// Waits at most this long on the monotonic clock; whether it was raised.
bool headgate_signal_wait_at_most(struct headgate_signal *signal, uint64_t nanoseconds);

// MARK: Wake-up

/// By which other threads wake a loop up: an eventfd, or a pipe.
struct headgate_wakeup {
    int reading;  // negative where no descriptor is left
    int writing;
};
struct headgate_wakeup headgate_wakeup_create(void);
void headgate_wakeup_destroy(struct headgate_wakeup wakeup);
void headgate_wakeup_signal(struct headgate_wakeup wakeup);
void headgate_wakeup_clear(struct headgate_wakeup wakeup);

// MARK: Time

/// CLOCK_MONOTONIC in nanoseconds.
uint64_t headgate_monotonic_nanoseconds(void);
/// CLOCK_REALTIME in nanoseconds since 1970.
int64_t headgate_realtime_nanoseconds(void);

// MARK: Sockets (all non-blocking and close-on-exec)

/// A listening TCP socket on a literal IPv4 or IPv6 address.
int headgate_tcp_listen(const char *ip, uint16_t port, int backlog);
/// A listening Unix socket with the given mode. A socket file that nobody answers on is replaced.
int headgate_unix_listen(const char *path, mode_t mode, int backlog);
/// Tells one file from another that has taken its path; 0 when there is none.
uint64_t headgate_file_identity(const char *path);
/// Octets that a peer has left behind that sends no more; -1 while it may, -2 where the connection has failed. The
/// portable build sees the end only behind the last octet.
int headgate_unread_of_departed(int fd);
/// The user of the process that connected a Unix socket, or a negative errno.
int64_t headgate_peer_uid(int fd);
/// Connects to an address of this machine: a connected socket, or a negative errno, EALREADY where it takes time.
int headgate_connect_at_once(const char *ip, uint16_t port);
/// Starts to connect; the socket becomes writable when the attempt has ended.
int headgate_tcp_connect(const char *ip, uint16_t port);
int headgate_unix_connect(const char *path);
/// Accepts one connection, or a negative errno.
int headgate_accept(int fd);
/// Whether a connect has finished, well or not.
bool headgate_connect_is_over(int fd);
/// The result of a finished connect: 0, or a negative errno.
int headgate_connect_result(int fd);
/// TCP_NODELAY. Does nothing on a Unix socket. What a listener accepts inherits it.
void headgate_disable_delay(int fd);
/// Keep-alive probes after 30 s of silence, every 15 s: they notice a peer that is gone, and keep middleboxes from
/// dropping a connection whose peer is silent for long. Does nothing on a Unix socket. What a listener accepts inherits
/// it.
void headgate_probe_peer(int fd);
/// Whether packets of a connected TCP socket still find a way: its own address is still this machine's, and a route
/// leads from it to the peer's. Asks the kernel alone, and sends nothing. True where that cannot be told.
bool headgate_has_route(int fd);
/// The local address that packets to another IP address would have; sends nothing. 0 or a negative errno.
int headgate_address_towards(const char *peer, char *ip, size_t capacity);
/// Closing this socket sends RST and throws away what is unsent.
void headgate_reset_on_close(int fd);
/// Limits the kernel's send buffer, so that what a slow reader holds is bounded by our own queue.
void headgate_limit_send_buffer(int fd, int bytes);
/// Octets in the send buffer that the peer's system has not taken; 0 where that is not known.
int headgate_unacknowledged(int fd);
/// The local (or remote) address of a TCP socket: textual IP into `ip`, and the port; 0 or a negative errno.
int headgate_socket_address(int fd, bool remote, char *ip, size_t capacity, uint16_t *port);

// MARK: Process

/// Zeroed memory for secrets, which core dumps leave out; NULL without any.
void *headgate_secret_map(size_t size);
void headgate_secret_wipe(void *memory, size_t size);
void headgate_secret_unmap(void *memory, size_t size);
/// Raises RLIMIT_NOFILE to its hard limit and returns the limit now in force.
uint64_t headgate_raise_descriptor_limit(void);
/// As many heaps as threads allocate much on, grown and given back in larger steps: a heap of a thread's own grows by a
/// page at a time, each with a system call.
void headgate_tune_allocator(int threads);
/// No core dumps, and where the system can, no other process of this user may read our memory.
void headgate_protect_memory(void);
/// Opens /dev/null on those of the descriptors 0 to 2 that are closed: what is opened next would be taken for a
/// standard stream.
void headgate_open_standard_streams(void);
/// Fills the buffer from the kernel's generator; 0 or a negative errno.
int headgate_random_bytes(void *buffer, size_t count);

/// Makes a file at least this long, with space on the disk for all of it; 0 or a negative errno.
int headgate_reserve_space(int fd, off_t size);

// MARK: Handing over to another process of the same program

enum {
    /// Where a successor finds its end of the pair.
    HEADGATE_HANDOVER_DESCRIPTOR = 3,
    /// Descriptors of one message at most.
    HEADGATE_HANDOVER_DESCRIPTORS = 80,
};
/// Two connected sockets, blocking and close-on-exec; 0 or a negative errno.
int headgate_handover_pair(int ends[2]);
/// Waits for something to read: 1, 0 if nothing came in time, or a negative errno.
int headgate_handover_wait(int fd, int milliseconds);
/// Sends bytes with copies of descriptors: how many bytes, or a negative errno.
ssize_t headgate_handover_send(int fd, const void *bytes, size_t count, const int *descriptors, size_t passed);
/// Receives bytes, and descriptors that came with them, close-on-exec: how many bytes, 0 at the end, or a negative
/// errno.
ssize_t headgate_handover_receive(int fd, void *bytes, size_t capacity, int *descriptors, size_t *passed);
/// Runs a program that outlives this one, with the standard streams, one end of a pair, and nothing else: its process,
/// or a negative errno. Signals that this process ignores stay ignored, and so does SIGHUP if that is asked for.
pid_t headgate_spawn_successor(const char *path, char *const arguments[], char *const environment[], int control,
    bool ignores_hangup);

struct headgate_child {
    pid_t pid;
    int input;   // write end of the child's standard input
    int output;  // read end of the child's standard output, non-blocking
};

/// Runs a program in its own process group, with only descriptors 0 to 2, killed by the kernel when the calling thread
/// ends, where the system can.
int headgate_spawn(const char *path, char *const arguments[], char *const environment[], struct headgate_child *child);
/// Reaps a child without waiting: its wait status in `status` and 1, 0 while it runs, or a negative errno.
int headgate_reap(pid_t pid, int *status);
/// The same as headgate_spawn, with the standard error in the same pipe as the standard output.
int headgate_spawn_captured(
    const char *path, char *const arguments[], char *const environment[], struct headgate_child *child);
/// The same as headgate_spawn, with the standard error at /dev/null.
int headgate_spawn_silenced(
    const char *path, char *const arguments[], char *const environment[], struct headgate_child *child);

struct headgate_caretaker {
    pid_t pid;
    int pipe;  // its write end: the caretaker acts when nobody holds it any more
};

/// Starts a small process that outlives this one, however that ends, to remove files and empty folders and to kill a
/// process group. It joins the group, whose number cannot become another's meanwhile; 0 gives it a group of its own. 0
/// or a negative errno.
int headgate_caretaker_start(pid_t group, char *const paths[], struct headgate_caretaker *caretaker);
/// Ends it without its having done anything.
void headgate_caretaker_dismiss(const struct headgate_caretaker *caretaker);

/// A descriptor that becomes readable when the child has ended, close-on-exec; a negative errno where the kernel has
/// none.
int headgate_watch_child(pid_t pid);

/// Puts a program, which is looked for in PATH, in the place of this process. Returns only if that fails: a negative
/// errno.
int headgate_become(char *const arguments[], char *const environment[]);
/// Runs a program, which is looked for in PATH, in this process's group and terminal, and waits for its end. Signals
/// that others send to this process meanwhile go on to it. 0 and its wait status, or a negative errno if it could not
/// be started. Once at a time.
int headgate_run_in_foreground(char *const arguments[], char *const environment[], int *status);

/// Reads the output of a shell's command (popen, which Swift does not have on a Mac); NULL if it cannot be started.
static inline FILE *headgate_open_command(const char *command) { return popen(command, "re"); }
static inline void headgate_close_command(FILE *output) { pclose(output); }

// MARK: Names and addresses

/// An IP address as numbers: an IPv4 address in `low`, an IPv6 address in both halves.
struct headgate_address {
    uint64_t high;
    uint64_t low;
    bool is_v6;
};

/// Reads a literal address in its usual form (inet_pton); false for anything else.
bool headgate_parse_address(const char *text, struct headgate_address *address);
/// Writes the usual form; 46 bytes are enough.
void headgate_format_address(struct headgate_address address, char *text, size_t capacity);
/// Asks the system (hosts file, DNS) and waits for its answer. The number of addresses in the order of preference, or
/// -1 with the system's words in `problem`.
int headgate_resolve(
    const char *name, struct headgate_address *addresses, int capacity, char *problem, size_t problem_capacity);

// MARK: Service manager

/// Makes an inherited listening socket non-blocking and close-on-exec; 0 or a negative errno: -EBADF or -ENOTSOCK,
/// -EAFNOSUPPORT when it is neither IP nor Unix, -EPROTOTYPE when it is no stream socket, -EINVAL when it does not
/// listen.
int headgate_adopt_listener(int fd);
/// The local path of a Unix socket, or @ and its abstract name; 109 bytes are enough. 0 or a negative errno.
int headgate_unix_address(int fd, char *text, size_t capacity);
/// An unbound Unix datagram socket whose sends wait that long at most.
int headgate_datagram_socket(int milliseconds);
/// Sends one datagram to a path, or to @ and an abstract name; 0 or a negative errno.
int headgate_send_datagram(int fd, const char *address, const void *bytes, size_t count);
