import CHeadgate
import HeadgateLibC
import HeadgateService
import HeadgateTerminal

/// The user's clipboard. It is reached through the terminal, which can be on another machine, and through programs on
/// this machine.
enum Clipboard {
    private struct Program {
        let arguments: [String]
        /// Variable that indicates that the program can work; nil if it always can.
        let variable: String?
    }

    private static let programs = [
        Program(arguments: ["wl-copy"], variable: "WAYLAND_DISPLAY"),
        Program(arguments: ["xclip", "-selection", "clipboard", "-in"], variable: "DISPLAY"),
        Program(arguments: ["xsel", "--clipboard", "--input"], variable: "DISPLAY"),
        Program(arguments: ["pbcopy"], variable: nil),
    ]
    private static let patience = Duration.seconds(2)

    /// Copies a text.
    ///
    /// - Returns: The ways used, as text. Whether the terminal accepted the text is unknown.
    /// - Throws: ``Complaint`` if there is no way to a clipboard.
    static func copy(_ text: String) throws -> [String] {
        // A text pasted into a shell must not contain control sequences either.
        let text = Neutralised.text(text)
        var ways: [String] = []
        if let name = run(text) { ways.append("with \(name)") }
        if ChatTerminal.isCapable, let sequence = ClipboardSequence.copying(text) {
            writeAll(sequence, to: STDOUT_FILENO)
            ways.append("through the terminal")
        }
        guard !ways.isEmpty else {
            throw Complaint(
                "there is no way to a clipboard: neither wl-copy, xclip nor xsel can be used, and the terminal "
                    + (ChatTerminal.isCapable ? "takes no text that long" : "has none"))
        }
        return ways
    }

    /// - Returns: Name of the program that accepted the text; nil if none did.
    private static func run(_ text: String) -> String? {
        let environment = ProcessEnvironment.current
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").filter { $0.hasPrefix("/") }
        for program in programs {
            if let variable = program.variable, (environment[variable] ?? "").isEmpty { continue }
            let paths = folders.map { "\($0)/\(program.arguments[0])" }
            guard let path = paths.first(where: { access($0, X_OK) == 0 }) else { continue }
            if give(text, to: path, program.arguments) { return program.arguments[0] }
        }
        return nil
    }

    private static func give(_ text: String, to path: String, _ arguments: [String]) -> Bool {
        let owned = arguments.map { strdup($0) } + [nil]
        defer { for pointer in owned { free(pointer) } }
        var child = headgate_child()
        guard headgate_spawn_captured(path, owned, environ, &child) == 0 else { return false }
        // The child's output is not read, and a child that serves the clipboard can keep the pipe open.
        close(child.output)
        let deadline = ContinuousClock.now + patience
        let isWritten = write(text, to: child.input, until: deadline)
        close(child.input)
        return wait(for: child.pid, until: deadline) && isWritten
    }

    private static func write(_ text: String, to pipe: Int32, until deadline: ContinuousClock.Instant) -> Bool {
        _ = fcntl(pipe, F_SETFL, O_NONBLOCK)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { HeadgateLibC.write(pipe, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                guard isReady(pipe, POLLOUT, until: deadline) else { return false }
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// - Returns: Whether the program succeeded. It is killed at the deadline.
    private static func wait(for pid: pid_t, until deadline: ContinuousClock.Instant) -> Bool {
        let watch = headgate_watch_child(pid)
        let isOver = watch >= 0 && isReady(watch, POLLIN, until: deadline)
        if watch >= 0 { close(watch) }
        if !isOver { kill(pid, SIGKILL) }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return isOver && status == 0
    }

    private static func isReady(_ descriptor: Int32, _ event: Int32, until deadline: ContinuousClock.Instant) -> Bool {
        while true {
            let rest = ContinuousClock.now.duration(to: deadline).seconds
            guard rest > 0 else { return false }
            var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
            let count = poll(&entry, 1, Int32(rest * 1000) + 1)
            if count > 0 { return true }
            guard count == 0 || errno == EINTR else { return false }
        }
    }
}
