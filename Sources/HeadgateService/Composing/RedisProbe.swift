package import HeadgateConfiguration
package import HeadgateEventLoop
import HeadgateNetwork
internal import HeadgatePrimitives
import HeadgateStores

/// Checks once whether the Redis server of a configuration can be used.
package struct RedisProbe {
    package struct Finding: Sendable {
        package let works: Bool
        /// Message, possibly of the server; not safe for a terminal.
        package let words: String
    }

    /// Time limit for the connection and the response.
    private static let patience = Duration.seconds(5)

    private let location: RedisLocation
    private let access: RedisAccess
    private let purpose: String

    /// - Parameters:
    ///   - key: the configuration key that names the server.
    ///   - purpose: the use of a working server, for people.
    /// - Throws: ``Complaint`` if TLS cannot be used.
    package init(_ location: RedisLocation, for key: String, purpose: String) throws {
        self.location = location
        self.purpose = purpose
        access = try RedisAccess(connecting: location, for: key)
    }

    /// Waits for the response. Must not be called on a loop.
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
        _ = arrived.wait(atMost: RedisProbe.patience)
        try? loop.performAndWait { asked.withLock(\.self)?.value.stop() }
        switch answer.withLock(\.self) {
        case .works?: return Finding(works: true, words: "\(location) \(purpose)")
        case .failed(let reason)?: return Finding(works: false, words: "\(location) cannot be used: \(reason)")
        case nil: return Finding(works: false, words: "\(location) does not answer")
        }
    }
}

private enum RedisFinding: Sendable {
    case works
    case failed(String)
}
