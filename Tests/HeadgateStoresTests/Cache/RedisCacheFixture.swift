import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateNetwork
import HeadgateRelay
import HeadgateTesting

@testable import HeadgateStores

/// Cached responses in a separate Redis server, with a stopped clock.
final class RedisCacheFixture: Sendable {
    let server: RedisServer
    let group: EventLoopGroup
    let store: RedisCacheStore
    let reports = Lines()
    private let loops: Int

    private init(_ patience: RedisPatience) throws {
        loops = 2
        server = try RedisServer()
        group = EventLoopGroup(count: loops)
        let reports = reports
        store = RedisCacheStore(
            RedisAccess(RedisLocation(.socket(server.socket))), resolver: NameResolver(), group: group,
            patience: patience, now: { 10_000_000_000 }, report: { reports.add($0) })
    }

    /// Deadlines longer than a server can take on a busy machine.
    static let patient = {
        var patience = RedisPatience()
        (patience.greeting, patience.reply) = (600_000_000_000, 600_000_000_000)
        return patience
    }()

    static func with(
        patience: RedisPatience = patient, _ body: (RedisCacheFixture) async throws -> Void
    ) async throws {
        let fixture = try RedisCacheFixture(patience)
        defer {
            fixture.store.stop()
            fixture.server.kill()
            fixture.group.stop()
        }
        fixture.store.start()
        try await until { fixture.store.health?.isWorking == true }
        try await body(fixture)
    }

    /// Runs a command on a separate connection.
    func ask(_ command: RedisCommand) async -> RedisReply? {
        let loop = group.loops[0]
        let access = RedisAccess(RedisLocation(.socket(server.socket)))
        return await withCheckedContinuation { continuation in
            loop.execute {
                let held = Held()
                let connection = RedisConnection(
                    access, resolver: NameResolver(), on: loop, patience: RedisCacheFixture.patient,
                    greeting: { [command] }
                ) { change in
                    guard let connection = held.connection else { return }
                    held.connection = nil
                    if case .up(let replies) = change {
                        continuation.resume(returning: replies.first)
                    } else {
                        continuation.resume(returning: nil)
                    }
                    loop.execute { [bound = LoopBound(connection, on: loop)] in bound.value.stop() }
                }
                held.connection = connection
                connection.start()
            }
        }
    }

    private final class Held { var connection: RedisConnection? }
}
