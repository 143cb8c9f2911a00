/// What may go on when its client has left, of all loops; pure.
package struct Disconnects: Sendable {
    package typealias Wake = @Sendable () -> Void
    private var enders: [Int: Wake] = [:]
    private var last = 0

    package init() {}

    /// - Parameter end: ends it, from any thread.
    /// - Returns: its number.
    mutating func enter(_ end: @escaping Wake) -> Int {
        last += 1
        enders[last] = end
        return last
    }

    /// - Returns: what would have ended it, to be released outside of the lock.
    mutating func leave(_ number: Int) -> Wake? { enders.removeValue(forKey: number) }

    /// Whatever ends what there is.
    package mutating func takeAll() -> [Wake] {
        defer { enders = [:] }
        return Array(enders.values)
    }
}
