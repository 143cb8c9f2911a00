/// Registry of the responses, on all loops, that can continue after their clients disconnect; pure.
package struct Disconnects: Sendable {
    package typealias Wake = @Sendable () -> Void
    private var enders: [Int: Wake] = [:]
    private var last = 0
    /// Called when no response is left.
    private var done: Wake?

    package init() {}

    /// Registers a response.
    ///
    /// - Parameter end: ends the response; callable from any thread.
    /// - Returns: the number of the registration.
    mutating func enter(_ end: @escaping Wake) -> Int {
        last += 1
        enders[last] = end
        return last
    }

    /// Removes a registration.
    ///
    /// - Returns: the closure that would have ended the response, which the caller releases outside the lock, and the
    ///   one to call if no response is left.
    mutating func leave(_ number: Int) -> (ender: Wake?, done: Wake?) {
        let ender = enders.removeValue(forKey: number)
        return (ender, takeDone())
    }

    /// Waits for the end of all responses.
    ///
    /// - Returns: the closure, if no response is left now.
    package mutating func whenEmpty(_ done: @escaping Wake) -> Wake? {
        self.done = done
        return takeDone()
    }

    private mutating func takeDone() -> Wake? {
        guard enders.isEmpty else { return nil }
        defer { done = nil }
        return done
    }

    /// Removes all registrations and returns their closures.
    package mutating func takeAll() -> [Wake] {
        defer { enders = [:] }
        return Array(enders.values)
    }
}
