import CHeadgate
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateLibC
import HeadgateNetwork
import HeadgateTesting
import Testing

@testable import HeadgateStores

/// Servers that speak the protocol of Redis, but do not reply to the greeting as Redis does.
@Suite struct RedisGreetingTests {
    private static let scripts = RedisScript.allCases.count
    private static let usual = Array(repeating: "+digest\r\n", count: scripts) + ["$5\r\nepoch\r\n"]

    /// Sends the same bytes to each connection, and others to the first. Loop-confined.
    private final class Server {
        private var acceptor: AcceptEvent?
        private var connections: [Int32] = []

        init(_ descriptor: Int32, on loop: EventLoop, first: [String], later: [String]) {
            acceptor = AcceptEvent(loop: loop, descriptor: descriptor) { [unowned self] connection in
                let replies = (connections.isEmpty ? first : later).joined()
                connections.append(connection)
                #expect(write(connection, replies, replies.utf8.count) == replies.utf8.count)
            } failed: {
                Issue.record("accept failed: \($0)")
            }
        }

        func stop() {
            acceptor?.close()
            for connection in connections { close(connection) }
        }
    }

    /// - Parameter place: the place of the odd reply, to the first script or to the incarnation.
    @Test(arguments: [0, scripts])
    func oddReplyIsAFailureUntilTheNextConnection(place: Int) async throws {
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let (loop, folder, reports) = (group.loops[0], try TemporaryFolder(), Mailbox<String>())
        let path = folder.path + "/redis"
        let descriptor = headgate_unix_listen(path, 0o600, 8)
        try #require(descriptor >= 0)
        var odd = Self.usual
        odd[place] = ":1\r\n"
        let server = try loop.performAndWait { [odd] in
            LoopBound(Server(descriptor, on: loop, first: odd, later: Self.usual), on: loop)
        }
        defer { try? loop.performAndWait { server.value.stop() } }
        // Longer than a busy machine takes.
        var patience = RedisPatience()
        (patience.greeting, patience.reply) = (60_000_000_000, 60_000_000_000)
        let store = RedisCounterStore(
            RedisAccess(RedisLocation(.socket(path))), resolver: NameResolver(), group: group, patience: patience
        ) { reports.post($0) }
        defer { store.stop() }
        store.start()
        let failure = try await reports.next(timeout: .seconds(120), "the failure")
        #expect(failure?.contains(" cannot be used: it does not reply to scripts as Redis does. ") == true)
        #expect(try await reports.next(timeout: .seconds(120), "its end")?.hasSuffix(" is used again") == true)
    }
}
