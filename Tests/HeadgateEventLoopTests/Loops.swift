import HeadgateEventLoop
import HeadgateLibC
import HeadgatePrimitives
import Testing

/// Runs the body with `count` loops, and then stops them.
func withLoops<Result>(_ count: Int = 1, _ body: ([EventLoop]) async throws -> Result) async rethrows -> Result {
    let group = EventLoopGroup(count: count)
    defer { group.stop() }
    return try await body(group.loops)
}

extension EventLoop {
    /// Runs the closure inside a callback of the loop, not in a task.
    func callback<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withUnsafeContinuation { continuation in
            execute { continuation.resume(returning: body()) }
        }
    }
}

/// Events in order, which any thread can record.
final class Journal: Sendable {
    private let entries = Locked<[String]>([])

    var all: [String] { entries.withLock { $0 } }
    func note(_ entry: String) { entries.withLock { $0.append(entry) } }
}

/// Two connected, non-blocking sockets.
struct SocketPair {
    let near: Int32
    let far: Int32

    init() {
        var ends: [Int32] = [0, 0]
        let status = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends)
        precondition(status == 0)
        (near, far) = (ends[0], ends[1])
    }

    func send(_ count: Int = 1) { _ = HeadgateLibC.send(far, [UInt8](repeating: 0x61, count: count), count, 0) }

    func receive() -> Int {
        var buffer = [UInt8](repeating: 0, count: 1)
        return recv(near, &buffer, 1, 0)
    }

    func close() {
        _ = HeadgateLibC.close(near)
        _ = HeadgateLibC.close(far)
    }
}
