/// Rules about features of Linux. They are in files named `+Linux`, so that the portable build needs none of them.
enum PortabilityRules {
    /// System calls, constants, headers and paths of Linux.
    private static let words = [
        "accept4", "pipe2", "SOCK_CLOEXEC", "SOCK_NONBLOCK", "SO_PEERCRED", "ucred", "SO_DOMAIN", "POLLRDHUP",
        "SIOCOUTQ", "TCP_KEEPIDLE", "SI_KERNEL", "epoll_create", "epoll_ctl", "epoll_wait", "EPOLLIN", "EPOLLOUT",
        "EPOLLRDHUP", "eventfd", "eventfd_t", "eventfd_read", "eventfd_write", "signalfd", "timerfd_create",
        "memfd_create", "pidfd_open", "SYS_pidfd_open", "syscall", "prctl", "close_range", "getrandom", "execvpe",
        "sem_clockwait", "mallopt", "inotify_init1", "inotify_add_watch", "inotify_rm_watch", "inotify_event",
        "sendfile", "splice", "sd_notify", "sched_getaffinity", "sched_setaffinity", "sched_getcpu",
        "st_mtim", "st_ctim", "st_atim", "fdatasync",
    ]
    private static let texts = [
        "<linux/", "<malloc.h>", "<endian.h>", "<sys/syscall.h>", "\"/proc/", "\"/sys/", "SOCK_STREAM.rawValue",
        "SOCK_DGRAM.rawValue", "Int32(MSG_NOSIGNAL)",
    ]

    /// Names of the C library on Linux.
    private static let libraries = ["Glibc", "Musl"]
    private static let ownLibrary = "Sources/HeadgateLibC/"

    /// Files that hide the difference between systems. Test support and the script of the on-device model run on Linux;
    /// the script checks for each feature before it uses it.
    private static let exempt = [
        ownLibrary, "Sources/HeadgateTesting/", "Sources/HeadgateUpstream/Generated/",
    ]

    static func linuxOnly(_ files: [SourceFile]) -> [Violation] {
        let portable = files.filter { file in
            file.path.hasPrefix("Sources/") && !file.path.contains("+Linux.")
                && !exempt.contains { file.path.hasPrefix($0) }
        }
        return portable.flatMap { file in
            let quoted = zip(file.lines, file.comments).flatMap { line, comment in
                texts.filter { line.text.contains($0) && !comment.text.contains($0) }.map { (line.number, $0) }
            }
            return (uses(of: words, in: file) + quoted).map { number, word in
                Violation(
                    path: file.path, line: number,
                    "only Linux has \(word): put it into a file +Linux, with a twin +Portable")
            }
        }
    }

    /// Finds a C library by the name it has on one system, in an import or before a function.
    static func libraryByItsName(_ files: [SourceFile]) -> [Violation] {
        files.filter { !$0.path.hasPrefix(ownLibrary) }.flatMap { file in
            uses(of: libraries, in: file).map { number, word in
                Violation(path: file.path, line: number, "only Linux has \(word): import HeadgateLibC")
            }
        }
    }

    private static func uses(of words: [String], in file: SourceFile) -> [(Int, String)] {
        file.code.flatMap { number, line in
            line.matches(of: #/\w+/#).map { (number, String($0.output)) }.filter { words.contains($0.1) }
        }
    }
}
