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
    private func listen(inherited: Int32? = nil) throws {
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let server = HandPlayedServer.server(of: group, answering: HandPlayedServer.Script { $0.answer(200, nil) })
        try server.listen(on: [ListenerSettings(address: .unix(path: path), inherited: inherited)])
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
    }

    // MARK: Running out of descriptors

    /// Result of a failed accept: the bytes that a waiting client receives, whether it still waits, the logged lines,
    /// and the declared body lengths of refused requests.
    private typealias Failure = (received: String, waits: Bool, lines: [String], lengths: [BodyLength])

    private func failToAccept(_ errors: Int32...) throws -> Failure {
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let lines = Locked<[String]>([])
        let lengths = Locked<[BodyLength]>([])
        var script = HandPlayedServer.Script { $0.answer(200, nil) }
        script.whenRefused = { metadata in lengths.withLock { $0.append(metadata.bodyLength) } }
        let server = HandPlayedServer.server(
            of: group, answering: script, logError: { line in lines.withLock { $0.append(line) } })
        let path = path
        let (received, waits) = try group.loops[0].performAndWait {
            let listener = try Listener(ListenerSettings(address: .unix(path: path)), server: server)
            defer { listener.close() }
            let client = headgate_unix_connect(path)
            defer { close(client) }
            for error in errors { listener.acceptFailed(error) }
            var bytes = [UInt8](repeating: 0, count: 1000)
            let count = recv(client, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            let accepted = try headgate_accept(#require(listener.descriptor))
            if accepted >= 0 { close(accepted) }
            return (String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self), accepted >= 0)
        }
        return (received, waits, lines.withLock { $0 }, lengths.withLock { $0 })
    }

    @Test(arguments: [EMFILE, ENFILE]) func waitingClientIsRefusedIfThereIsNoDescriptorForIt(_ error: Int32) throws {
        let client = try failToAccept(error)
        #expect(client.received.hasPrefix("HTTP/1.1 503 ") && client.received.hasSuffix("refused"))
        #expect(!client.waits && client.lengths == [.fixed(0)])
    }

    @Test func waitingClientStaysIfAcceptingFailsOtherwise() throws {
        let client = try failToAccept(ECONNABORTED)
        #expect(client.received.isEmpty && client.waits)
    }

    @Test func failureToAcceptIsLoggedOnceInASecond() throws {
        let lines = try failToAccept(ECONNABORTED, ECONNABORTED).lines
        #expect(
            lines == [
                "cannot accept connections on unix:\(path): Software caused connection abort; trying again every 100 ms"
            ])
    }

    // MARK: Connections

    @Test(arguments: [0, 3] as [UInt8]) func connectionHasTheTagOfItsListener(_ tag: UInt8) async throws {
        let path = path
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let (seen, found) = AsyncStream.makeStream(of: LocalEnd.self)
        let script = HandPlayedServer.Script { request in
            found.yield(request.metadata.connection.local)
            request.answer(200, nil)
        }
        let server = HandPlayedServer.server(of: group, answering: script)
        var settings = ListenerSettings(address: .unix(path: path))
        if tag != 0 { settings.tag = tag }
        try server.listen(on: [settings])
        let client = headgate_unix_connect(path)
        try #require(client >= 0)
        defer { close(client) }
        send(client, "GET / HTTP/1.1\r\nHost: a\r\n\r\n", 27, 0)
        let end = try #require(await seen.first { _ in true })
        #expect(end.tag == tag && end.carrier == .unix && end.address.isEmpty)
        try server.listen(on: [])
    }

    @Test(arguments: [ListenerSettings.Authentication.none, .key])
    func connectionAdmittedWithoutAKeyEndsWithItsRule(_ next: ListenerSettings.Authentication) async throws {
        let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        let script = HandPlayedServer.Script { $0.answer(200, .bytes([0x61])) }
        try await HandPlayedServer.run(admittedBy: .none, answering: script) { client in
            client.send(request)
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
            client.send(request)
            await client.wait(for: "another response") { client.text.split(separator: "HTTP/1.1 200 ").count == 2 }
        }
    }
}
