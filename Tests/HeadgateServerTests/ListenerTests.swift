import CHeadgate
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateLibC
import HeadgatePrimitives
import Testing

@testable import HeadgateServer

@Suite struct ListenerTests {
    private let path = "/tmp/headgate-\(UInt64.random(in: 0 ... .max)).sock"

    private func exists() -> Bool { access(path, F_OK) == 0 }

    /// Listens on the socket, and then stops listening.
    private func listen(inherited: Int32? = nil, isHandedOver: Bool = false) throws {
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let server = HandPlayedServer.server(of: group, answering: HandPlayedServer.Script { $0.answer(200, nil) })
        var settings = ListenerSettings(address: .unix(path: path), inherited: inherited)
        settings.isHandedOver = isHandedOver
        try server.listen(on: [settings])
        #expect(exists())
        try server.listen(on: [])
    }

    @Test func fileOfASocketGoesWithItsListener() throws {
        try listen()
        #expect(!exists())
    }

    @Test func fileOfAnInheritedSocketIsTheServiceManagers() throws {
        defer { unlink(path) }
        try listen(inherited: headgate_unix_listen(path, 0o600, 16))
        #expect(exists())
    }

    @Test func fileOfASocketThatAnEarlierGatewayHandedOverGoesWithItsListener() throws {
        try listen(inherited: headgate_unix_listen(path, 0o600, 16), isHandedOver: true)
        #expect(!exists())
    }

    // MARK: Changes

    private func withServer(_ body: (HTTPServer) throws -> Void) throws {
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let server = HandPlayedServer.server(of: group, answering: HandPlayedServer.Script { $0.answer(200, nil) })
        try body(server)
        try server.listen(on: [])
    }

    private func mode() -> UInt32 {
        var status = stat()
        return lstat(path, &status) == 0 ? UInt32(status.st_mode & 0o777) : 0
    }

    @Test func changedModeAppliesToTheOpenSocket() throws {
        try withServer { server in
            for mode in [0o600, 0o660, 0o600] as [UInt32] {
                try server.listen(on: [ListenerSettings(address: .unix(path: path), mode: mode)])
                #expect(self.mode() == mode)
            }
            // Another program's change stays until the configuration changes.
            chmod(path, 0o640)
            try server.listen(on: [ListenerSettings(address: .unix(path: path), mode: 0o600)])
            #expect(mode() == 0o640)
        }
    }

    @Test func modeOfAnInheritedSocketIsTheServiceManagers() throws {
        defer { unlink(path) }
        try withServer { server in
            var settings = ListenerSettings(
                address: .unix(path: path), mode: 0o600, inherited: headgate_unix_listen(path, 0o640, 16))
            try server.listen(on: [settings])
            settings.mode = 0o666
            try server.listen(on: [settings])
            #expect(mode() == 0o640)
        }
    }

    /// Two listeners that request any port have separate sockets, and keep them.
    @Test func equalAddressesKeepTheirOwnSockets() throws {
        try withServer { server in
            let any = ListenerSettings(address: .tcp(ip: "127.0.0.1", port: 0))
            let bound = try server.listen(on: [any, any])
            #expect(Set(bound).count == 2)
            #expect(try server.listen(on: [any, any]) == bound)
            let three = try server.listen(on: [any, any, any])
            #expect(Array(three.prefix(2)) == bound && Set(three).count == 3)
            #expect(try server.listen(on: [any]) == [bound[0]])
        }
    }

    /// The last address is not one of this machine's.
    @Test func failedChangeClosesOnlyTheNewSockets() throws {
        try withServer { server in
            let old = ListenerSettings(address: .tcp(ip: "127.0.0.1", port: 0))
            let bound = try server.listen(on: [old])
            let new = ListenerSettings(address: .unix(path: path))
            let wrong = ListenerSettings(address: .tcp(ip: "192.0.2.1", port: 0))
            #expect(throws: ListenError.self) { try server.listen(on: [old, new, wrong]) }
            #expect(!exists())
            #expect(try server.sockets.count == 1)
            let client = headgate_connect_at_once("127.0.0.1", try #require(bound[0].port))
            #expect(client >= 0)
            close(client)
            #expect(try server.listen(on: [old]) == bound)
        }
    }

    @Test func fileThatReplacedASocketStays() throws {
        defer { unlink(path) }
        try withServer { server in
            try server.listen(on: [ListenerSettings(address: .unix(path: path))])
            unlink(path)
            close(open(path, O_CREAT | O_WRONLY, 0o600))
            try server.listen(on: [])
            #expect(exists())
        }
    }

    @Test func waitingConnectionsAreServedBeforeTheListenerCloses() async throws {
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let server = HandPlayedServer.server(of: group, answering: HandPlayedServer.Script { $0.answer(200, nil) })
        try server.listen(on: [ListenerSettings(address: .unix(path: path))])
        try server.accept(false)
        let client = headgate_unix_connect(path)
        defer { close(client) }
        try server.listen(on: [])
        #expect(server.openConnections == 1 && group.loops[0].load.value == 1)
        await withUnsafeContinuation { continuation in
            server.shutDown { continuation.resume() }
            server.cancelResponses()
        }
        #expect(server.openConnections == 0 && group.loops[0].load.value == 0)
    }

    // MARK: Running out of descriptors

    /// Result of a failed accept: the bytes that each waiting client receives, whether an orderly end follows them,
    /// whether a client still waits, the logged lines, the declared body lengths of refused requests, and their ends.
    private typealias Failure = (
        clients: [(received: String, hasEnded: Bool)], waits: Bool, lines: [String], lengths: [BodyLength],
        ends: [String]
    )

    private static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    private func receive(_ client: Int32) -> (received: String, hasEnded: Bool) {
        var (received, bytes) = ([UInt8](), [UInt8](repeating: 0, count: 1000))
        while true {
            let count = recv(client, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return (String(decoding: received, as: UTF8.self), count == 0) }
            received += bytes.prefix(count)
        }
    }

    private func failToAccept(_ errors: Int32..., clients: Int = 1) throws -> Failure {
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let lines = Locked<[String]>([])
        let lengths = Locked<[BodyLength]>([])
        let ends = Locked<[String]>([])
        var script = HandPlayedServer.Script { $0.answer(200, nil) }
        script.whenRefused = { metadata in
            lengths.withLock { $0.append(metadata.bodyLength) }
            guard let context = metadata.context as? NotedContext else { return }
            context.whenOver = { [unowned context] in ends.withLock { $0 += context.ends } }
        }
        let server = HandPlayedServer.server(
            of: group, answering: script, logError: { line in lines.withLock { $0.append(line) } })
        let path = path
        let (received, waits) = try group.loops[0].performAndWait {
            let listener = try Listener(ListenerSettings(address: .unix(path: path)), server: server)
            defer { listener.close() }
            let waiting = (0..<clients).map { _ in headgate_unix_connect(path) }
            defer { for client in waiting { close(client) } }
            for client in waiting { send(client, Self.request, Self.request.utf8.count, 0) }
            for error in errors { listener.acceptFailed(error) }
            let received = waiting.map { receive($0) }
            let accepted = try headgate_accept(#require(listener.descriptor))
            if accepted >= 0 { close(accepted) }
            return (received, accepted >= 0)
        }
        return (received, waits, lines.withLock { $0 }, lengths.withLock { $0 }, ends.withLock { $0 })
    }

    @Test(arguments: [EMFILE, ENFILE]) func waitingClientsAreRefusedIfThereIsNoDescriptorForThem(
        _ error: Int32
    ) throws {
        let failure = try failToAccept(error, error, clients: 2)
        for client in failure.clients {
            #expect(client.received.hasPrefix("HTTP/1.1 503 ") && client.received.hasSuffix("refused"))
            #expect(client.hasEnded, "unread bytes do not reset the connection")
        }
        #expect(!failure.waits && failure.lengths == [.fixed(0), .fixed(0)])
        #expect(failure.ends == ["refused 0 0 0", "refused 0 0 0"])
    }

    @Test func waitingClientStaysIfAcceptingFailsOtherwise() throws {
        let failure = try failToAccept(ECONNABORTED)
        #expect(failure.clients.map(\.received) == [""] && failure.waits)
    }

    @Test(.timeLimit(.minutes(1))) func acceptingResumesAfterAFailure() async throws {
        let (path, group) = (path, EventLoopGroup(count: 1))
        defer { group.stop() }
        let (requests, found) = AsyncStream.makeStream(of: Void.self)
        let script = HandPlayedServer.Script { request in
            found.yield()
            request.answer(200, nil)
        }
        let server = HandPlayedServer.server(of: group, answering: script)
        let listener = try group.loops[0].performAndWait {
            let listener = try Listener(ListenerSettings(address: .unix(path: path)), server: server)
            listener.start(listener.settings)
            // As a failed accept does.
            listener.pause()
            listener.acceptFailed(ECONNABORTED)
            return LoopBound(listener, on: group.loops[0])
        }
        let client = headgate_unix_connect(path)
        defer { close(client) }
        send(client, Self.request, Self.request.utf8.count, 0)
        #expect(await requests.first { _ in true } != nil)
        try group.loops[0].performAndWait { listener.value.close() }
    }

    @Test func failureToAcceptIsLoggedOnceInASecond() throws {
        let lines = try failToAccept(ECONNABORTED, ECONNABORTED).lines
        #expect(
            lines == [
                "cannot accept connections on unix:\(path): Software caused connection abort; trying again every 100 ms"
            ])
    }

    // MARK: Connections

    /// Returns the ends of a connection to a listener.
    ///
    /// - Parameter connect: connects to the bound address, and returns the client's descriptor.
    private func ends(
        _ settings: ListenerSettings, _ connect: (ListenerSettings.Address) -> Int32
    ) async throws -> ConnectionEnds {
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let (seen, found) = AsyncStream.makeStream(of: ConnectionEnds.self)
        let script = HandPlayedServer.Script { request in
            found.yield(request.metadata.connection)
            request.answer(200, nil)
        }
        let server = HandPlayedServer.server(of: group, answering: script)
        let client = connect(try server.listen(on: [settings])[0])
        try #require(client >= 0)
        defer { close(client) }
        send(client, Self.request, Self.request.utf8.count, 0)
        let ends = try #require(await seen.first { _ in true })
        try server.listen(on: [])
        return ends
    }

    @Test(arguments: [0, 3] as [UInt8]) func connectionHasTheTagOfItsListener(_ tag: UInt8) async throws {
        var settings = ListenerSettings(address: .unix(path: path))
        if tag != 0 { settings.tag = tag }
        let end = try await ends(settings) { _ in headgate_unix_connect(path) }.local
        #expect(end.tag == tag && end.carrier == .unix && end.address.isEmpty)
    }

    @Test(arguments: ["127.0.0.1", "0.0.0.0"])
    func connectionHasTheAddressThatItsClientReached(_ address: String) async throws {
        let ends = try await ends(ListenerSettings(address: .tcp(ip: address, port: 0))) {
            headgate_connect_at_once("127.0.0.1", $0.port ?? 0)
        }
        #expect(ends.local.address == "127.0.0.1" && ends.remoteAddress == "127.0.0.1")
        #expect(ends.local.port != 0 && ends.local.carrier == .tcp)
    }

    @Test(arguments: [true, false]) func peerIsAdmittedByItsUser(_ isListed: Bool) async throws {
        let user = getuid()
        let settings = ListenerSettings(
            address: .unix(path: path), authentication: .peer(uids: [isListed ? user : user + 1]))
        let admission = try await ends(settings) { _ in headgate_unix_connect(path) }.admission
        let isRefused = if case .refused = admission { true } else { false }
        #expect(isRefused != isListed)
        #expect(!isListed || admission == .admitted(as: "uid-\(user)", isOwner: true))
    }

    @Test(arguments: [ListenerSettings.Authentication.none, .key])
    func connectionAdmittedWithoutAKeyEndsWithItsRule(_ next: ListenerSettings.Authentication) async throws {
        let script = HandPlayedServer.Script { $0.answer(200, .bytes([0x61])) }
        try await HandPlayedServer.run(admittedBy: .none, answering: script) { client in
            client.send(Self.request)
            await client.wait(for: "the response") { client.text.hasSuffix("\r\n\r\na") }
            let server = client.server
            var hasChanged = false
            let change = client.loop.aside {
                try? server.listen(on: [
                    ListenerSettings(address: .tcp(ip: "127.0.0.1", port: 0), authentication: next)
                ])
            } completion: { _ in
                hasChanged = true
                client.look()
            }
            await client.wait(for: "the change") { hasChanged }
            _ = change
            guard next == .none else { return await client.wait(for: "the end") { client.isGone } }
            client.send(Self.request)
            await client.wait(for: "another response") { client.text.split(separator: "HTTP/1.1 200 ").count == 2 }
        }
    }
}
