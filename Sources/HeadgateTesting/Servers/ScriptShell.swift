internal import HeadgateEventLoop
internal import HeadgateLibC
internal import HeadgatePrimitives

/// A shell that runs a script for a test, with which the test communicates through standard input and output.
///
/// The input ends with this process, regardless of how the process ends. The script waits for that, and then cleans up.
package final class ScriptShell: Sendable {
    private struct Running {
        let pid: pid_t
        let input: Int32
    }

    private let running: Locked<Running?>
    private let output: Int32

    /// Starts the shell.
    ///
    /// - Parameter arguments: The values of `$1` and the following parameters.
    package init(_ script: String, _ arguments: [String]) throws {
        var (input, output): ([Int32], [Int32]) = ([0, 0], [0, 0])
        #if canImport(Darwin)
            let kind = SOCK_STREAM
            var actions: posix_spawn_file_actions_t?
        #else
            // No other child process that starts at the same time may inherit the sockets.
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            var actions = posix_spawn_file_actions_t()
        #endif
        guard socketpair(AF_UNIX, kind, 0, &input) == 0, socketpair(AF_UNIX, kind, 0, &output) == 0 else {
            throw TestFailure.file("no sockets for a shell")
        }
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input[0], 0)
        posix_spawn_file_actions_adddup2(&actions, output[1], 1)
        let texts = (["sh", "-c", script, "sh"] + arguments).map { strdup($0) } + [nil]
        defer { for text in texts { free(text) } }
        var pid: pid_t = 0
        let status = posix_spawn(&pid, "/bin/sh", &actions, nil, texts, environ)
        close(input[0])
        close(output[1])
        guard status == 0 else {
            close(input[1])
            close(output[0])
            throw TestFailure.file("a shell cannot be started")
        }
        running = Locked(Running(pid: pid, input: input[1]))
        self.output = output[0]
    }

    deinit {
        end()
        close(output)
    }

    package func write(_ line: String) {
        let text = line + "\n"
        running.withLock { running in
            guard let running else { return }
            _ = HeadgateLibC.write(running.input, text, text.utf8.count)
        }
    }

    /// Returns the next line; nil at the end.
    package func readLine() -> String? {
        var line: [UInt8] = []
        var octet: UInt8 = 0
        while read(output, &octet, 1) == 1 {
            if octet == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(octet)
        }
        return nil
    }

    /// Ends the script's input, and waits until the script has ended.
    package func end() {
        guard
            let ended = running.withLock({ running in
                defer { running = nil }
                return running
            })
        else { return }
        close(ended.input)
        var status: Int32 = 0
        waitpid(ended.pid, &status, 0)
    }
}
