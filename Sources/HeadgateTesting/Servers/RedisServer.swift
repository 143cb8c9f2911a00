internal import CHeadgate
internal import HeadgateEventLoop
internal import HeadgateLibC
internal import HeadgatePrimitives

/// A real `redis-server` on a Unix socket in a private folder, without persistence. It ends with the last reference to
/// it, and always with this process.
package final class RedisServer: Sendable {
    private struct Running {
        /// The shell that ends the server when this process ends.
        let wrapper: ScriptShell
        var server: pid_t
    }

    package let socket: String
    private let folder: TemporaryFolder
    private let arguments: [String]
    private let running = Locked<Running?>(nil)

    /// The script, which ends with its parent process because it waits for the end of its input.
    private static let script = #"""
        folder=$1; shift
        redis-server --port 0 --unixsocket "$folder/redis.sock" --dir "$folder" --save "" --appendonly no \
            --daemonize no "$@" >"$folder/log" 2>&1 &
        echo $! >"$folder/pid.new" && mv "$folder/pid.new" "$folder/pid"
        cat >/dev/null
        kill -9 $!
        """#

    /// Starts a server and waits until it listens.
    ///
    /// - Parameter arguments: Further arguments of the server.
    package init(_ arguments: [String] = []) throws {
        folder = try TemporaryFolder()
        socket = folder.path + "/redis.sock"
        self.arguments = arguments
        try start()
    }

    deinit { kill() }

    /// Starts the server again after ``kill()``, without any of its data.
    package func start() throws {
        unlink(folder.path + "/pid")
        unlink(socket)
        let wrapper = try ScriptShell(RedisServer.script, [folder.path] + arguments)
        running.withLock { $0 = Running(wrapper: wrapper, server: 0) }
        try waitUntilItListens()
    }

    /// Polls until the server listens, because it sends no notification.
    private func waitUntilItListens() throws {
        for _ in 0..<3000 {
            if let server = (try? folder.read("pid")).flatMap({ pid_t($0.dropLast()) }), listens() {
                running.withLock { $0?.server = server }
                return
            }
            usleep(5000)
        }
        let log = (try? folder.read("log")) ?? ""
        kill()
        throw TestFailure.timedOut(waitingFor: "redis-server (Debian's redis-server is needed): \(log)")
    }

    private func listens() -> Bool {
        let descriptor = headgate_unix_connect(socket)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }

    /// Returns a free port of this machine, for TLS.
    package static func freePort() throws -> UInt16 {
        let socket = try ListeningSocket(.tcp(ip: "127.0.0.1", port: 0))
        close(socket.descriptor)
        return socket.port
    }

    /// Ends the server immediately.
    package func kill() {
        guard
            let ended = running.withLock({ running in
                defer { running = nil }
                return running
            })
        else { return }
        if ended.server > 0 { HeadgateLibC.kill(ended.server, SIGKILL) }
        ended.wrapper.end()
    }

    /// Makes the server accept connections and bytes without a reply.
    package func pause() { signal(SIGSTOP) }

    package func goOn() { signal(SIGCONT) }

    private func signal(_ number: Int32) {
        let server = running.withLock { $0?.server } ?? 0
        if server > 0 { HeadgateLibC.kill(server, number) }
    }
}
