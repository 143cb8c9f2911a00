/// Calls the closure in `count` concurrent tasks.
func concurrently<Value: Sendable>(_ count: Int, _ body: @escaping @Sendable () -> Value) async -> [Value] {
    await withTaskGroup(of: Value.self) { group in
        for _ in 0..<count { group.addTask { body() } }
        return await group.reduce(into: []) { $0.append($1) }
    }
}
