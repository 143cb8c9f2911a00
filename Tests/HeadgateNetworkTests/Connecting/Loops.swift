import HeadgateEventLoop

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
