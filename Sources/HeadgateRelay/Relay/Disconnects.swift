/// Registry of the responses, on all loops, that can continue after their clients disconnect; pure.
package struct Disconnects: Sendable {
    package typealias Wake = @Sendable () -> Void
    private var enders: [Int: Wake] = [:]
    private var last = 0

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
    /// - Returns: the closure that would have ended the response; the caller releases it outside the lock.
    mutating func leave(_ number: Int) -> Wake? { enders.removeValue(forKey: number) }

    /// Removes all registrations and returns their closures.
    package mutating func takeAll() -> [Wake] {
        defer { enders = [:] }
        return Array(enders.values)
    }
}
