package import HeadgateConfiguration
package import HeadgateEventLoop
import HeadgateNetwork
import HeadgateStores

/// Asks the counters' server of a configuration whether it can be used, once.
package struct CountersProbe {
    package struct Finding: Sendable {
        package let works: Bool
        /// Of the server too: not fit for a terminal.
        package let words: String
    }

    /// For the connection, and for the answer.
    private static let patience = Duration.seconds(5)

    private let location: RedisLocation
    private let access: RedisAccess

    /// - Throws: ``Complaint`` where TLS cannot be used.
    package init(_ location: RedisLocation) throws {
        self.location = location
        access = try RedisAccess(connecting: location)
    }

    /// Waits for the answer. From no loop.
    package func ask(on loop: EventLoop) -> Finding {
        let (answer, arrived) = (Locked<RedisFinding?>(nil), Latch())
        let asked = Locked<LoopBound<RedisConnection>?>(nil)
        let access = access
        loop.execute {
            let connection = RedisConnection(access, resolver: NameResolver(), on: loop) { change in
                answer.withLock { known in
                    guard known == nil else { return }
                    if case .down(let reason) = change { known = .failed(reason) } else { known = .works }
                }
                arrived.open()
            }
            asked.withLock { $0 = LoopBound(connection, on: loop) }
            connection.start()
        }
        _ = arrived.wait(atMost: CountersProbe.patience)
        try? loop.performAndWait { asked.withLock(\.self)?.value.stop() }
        switch answer.withLock(\.self) {
        case .works?: return Finding(works: true, words: "\(location) counts limits")
        case .failed(let reason)?: return Finding(works: false, words: "\(location) cannot be used: \(reason)")
        case nil: return Finding(works: false, words: "\(location) does not answer")
        }
    }
}

private enum RedisFinding: Sendable {
    case works
    case failed(String)
}
