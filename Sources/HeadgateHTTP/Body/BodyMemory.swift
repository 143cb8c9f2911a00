internal import HeadgatePrimitives

/// Counts the bytes of request bodies and whole response bodies on all loops of the process, so that their memory can
/// be limited.
///
/// A request body that came in one piece with its head is not counted, since the limit on bytes that a connection can
/// send ahead bounds it. A response body that fits into its connection's queue is not counted either.
package final class BodyMemory: Sendable {
    private let counted = Locked(0)

    package init() {}

    /// Bytes of all counted bodies, which are arriving, on their way to an upstream, or waiting for their clients.
    package var held: Int { counted.withLock { $0 } }

    fileprivate func take(_ octets: Int, limit: Int) -> Bool {
        counted.withLock { counted in
            guard octets <= limit - counted else { return false }
            counted += octets
            return true
        }
    }

    fileprivate func giveBack(_ octets: Int) { counted.withLock { $0 -= octets } }

    /// Error if a body does not fit beside those that are already held.
    package struct Exhausted: Error {
        package init() {}
    }
}

/// Memory granted to one body. It is released by `deinit`, so that it cannot leak, however the request ends.
package final class BodyAllowance {
    private let memory: BodyMemory
    private let limit: Int
    private var octets = 0

    /// - Parameter limit: maximum bytes of all bodies together.
    package init(of memory: BodyMemory, limit: Int) {
        self.memory = memory
        self.limit = limit
    }

    deinit {
        if octets > 0 { memory.giveBack(octets) }
    }

    /// Returns whether the allowance could cover a number of bytes now. Only received bytes are counted: a large
    /// Content-Length alone reserves nothing.
    package func hasRoom(for needed: Int) -> Bool {
        needed <= limit - max(memory.held - octets, 0)
    }

    /// Whether more than half of the memory is taken, so that its holders must hurry.
    package var isUnderPressure: Bool { memory.held > limit / 2 }

    /// Bytes that the allowance could cover if there were no others.
    package var maximum: Int { limit }

    /// Extends the allowance to a number of bytes.
    ///
    /// - Returns: whether there is room.
    package func grow(to needed: Int) -> Bool {
        guard needed > octets else { return true }
        guard needed <= limit else { return false }
        guard memory.take(needed - octets, limit: limit) else { return false }
        octets = needed
        return true
    }
}
