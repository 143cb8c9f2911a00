import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateNetwork
import HeadgatePrimitives
import HeadgateStores
import HeadgateTesting
import Testing

/// Connections to a real server.
@Suite(.serialized) final class RedisConnectionTests: Sendable {
    private static let password = "geheim:@/?#%"
    private let server: RedisServer
    private let group = EventLoopGroup(count: 1)
    private let changes = Mailbox<String>()

    init() throws { server = try RedisServer(["--requirepass", RedisConnectionTests.password]) }

    deinit { group.stop() }

    /// Deadlines longer than a server can take on a busy machine.
    private static let patience = {
        var patience = RedisPatience()
        (patience.greeting, patience.reply) = (60_000_000_000, 60_000_000_000)
        return patience
    }()

    private func connection(
        password: String? = password, database: Int = 0, patience: RedisPatience = patience
    ) -> LoopBound<RedisConnection> {
        connection(
            RedisAccess(
                RedisLocation(.socket(server.socket), password: password.map { Secret($0) }, database: database)),
            patience)
    }

    private func connection(
        _ access: RedisAccess, _ patience: RedisPatience = patience
    ) -> LoopBound<RedisConnection> {
        let (loop, changes) = (group.loops[0], changes)
        let bound = Locked<LoopBound<RedisConnection>?>(nil)
        try? loop.performAndWait {
            let connection = RedisConnection(access, resolver: NameResolver(), on: loop, patience: patience) { change in
                switch change {
                case .up(let replies): changes.post(replies == [.status("PONG")] ? "up" : "\(replies)")
                case .down(let reason): changes.post(reason)
                }
            }
            bound.withLock { $0 = LoopBound(connection, on: loop) }
            connection.start()
        }
        guard let connection = bound.withLock({ $0 }) else { preconditionFailure("no connection was made") }
        return connection
    }

    private func change() async throws -> String? { try await changes.next(timeout: .seconds(120), "a change") }

    private func ask(_ connection: LoopBound<RedisConnection>, _ command: RedisCommand) async -> RedisReply? {
        await withCheckedContinuation { continuation in
            connection.loop.execute {
                connection.value.call(command) { continuation.resume(returning: $0) }
            }
        }
    }

    private func stop(_ connection: LoopBound<RedisConnection>) {
        try? connection.loop.performAndWait { connection.value.stop() }
    }

    @Test func commandsAreAnsweredInOrder() async throws {
        let connection = connection(database: 3)
        #expect(try await change() == "up")
        #expect(await ask(connection, RedisCommand("SET", "a\r\n", "ä")) == .status("OK"))
        #expect(await ask(connection, RedisCommand("GET", "a\r\n")) == .bytes(Array("ä".utf8)))
        #expect(await ask(connection, RedisCommand("GET", "b")) == RedisReply.none)
        let info = await ask(connection, RedisCommand("CLIENT", "INFO"))?.text
        #expect(info?.contains(" db=3 ") == true)
        let sums = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<500 {
                group.addTask { await self.ask(connection, RedisCommand("INCR", "n"))?.integer }
            }
            return await group.reduce(into: Set<Int>()) { if let number = $1 { $0.insert(number) } }
        }
        #expect(sums == Set(1...500))
        stop(connection)
    }

    @Test func wrongPasswordIsReportedWithoutIt() async throws {
        let connection = connection(password: "falsch")
        #expect(try await change() == "it refuses the user or the password (WRONGPASS)")
        stop(connection)
        let none = self.connection(password: nil)
        // The first connection can have been retried before it was stopped.
        var last = try await change()
        while last?.contains("WRONGPASS") == true { last = try await change() }
        #expect(last == "it asks for a password")
        stop(none)
    }

    @Test func connectionIsSecuredByTLS() async throws {
        let certificates = try TestCertificates()
        defer { certificates.removeAll() }
        // The stranger's authority has not signed the server's certificate.
        let stranger = try TestCertificates()
        defer { stranger.removeAll() }
        let files = try certificates.leaf(names: ["localhost"], addresses: [])
        let port = try RedisServer.freePort()
        let server = try RedisServer([
            "--tls-port", "\(port)", "--tls-cert-file", files.certificate, "--tls-key-file", files.key,
            "--tls-ca-cert-file", certificates.authority, "--tls-auth-clients", "no", "--bind", "127.0.0.1",
            "--requirepass", Self.password,
        ])
        defer { server.kill() }
        let trusting = try TLSContext.client(authorities: certificates.authority)
        for (context, host, expected) in [
            (trusting, "localhost", "up"), (trusting, "127.0.0.1", "certificate"),
            (try TLSContext.client(authorities: stranger.authority), "localhost", "certificate"),
            (try TLSContext.client(authorities: nil), "localhost", "certificate"),
        ] {
            let location = RedisLocation(
                .host(host, port: port, isSecure: true), password: Secret(Self.password))
            let connection = self.connection(RedisAccess(location, tls: context))
            let change = try await change()
            #expect(change?.contains(expected) == true, "\(host): \(String(describing: change))")
            #expect(change?.contains(Self.password) == false)
            if expected == "up" { #expect(await ask(connection, RedisCommand("PING")) == .status("PONG")) }
            stop(connection)
        }
    }

    @Test func connectionIsReestablishedAfterAServerRestart() async throws {
        let connection = connection()
        #expect(try await change() == "up")
        server.kill()
        #expect(try await change() != "up")
        #expect(await ask(connection, RedisCommand("PING")) == nil)
        try server.start()
        var last: String?
        while last != "up" { last = try await change() }
        #expect(await ask(connection, RedisCommand("PING")) == .status("PONG"))
        stop(connection)
    }

    @Test func hangingServerTimesOut() async throws {
        let connection = connection(patience: RedisPatience())
        while try await change() != "up" {}
        server.pause()
        let start = ContinuousClock.now
        #expect(await ask(connection, RedisCommand("PING")) == nil)
        #expect(start.duration(to: .now) >= .milliseconds(250))
        #expect(try await change() == "no answer within 250 ms")
        server.goOn()
        var last: String?
        while last != "up" { last = try await change() }
        stop(connection)
    }
}
