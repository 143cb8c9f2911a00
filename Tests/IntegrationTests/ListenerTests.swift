import HeadgateEventLoop
import HeadgateServer
import HeadgateTesting
import Testing

/// Several listeners on one server: their authentication, and changes of them while connections are open.
@Suite struct ListenerTests {
    private static let loopback = ListenerSettings.Address.tcp(ip: "127.0.0.1", port: 0)

    private func models(_ client: TestClient, port: UInt16 = 0, host: String = "localhost") async throws -> TestResponse
    {
        try await client.request("GET", "/v1/models", headers: ["Host": host], port: port)
    }

    @Test func ownUserNeedsNoKeyOnAUnixSocket() async throws {
        let running = try RunningGateway(UpstreamScript(always: .chatCompletion("ok")))
        let folder = try TemporaryFolder()
        let path = folder.path + "/gateway.sock"
        let user = ListenerSettings.Authentication.peer(uids: [ProcessUser.own])
        try running.server.listen(on: [ListenerSettings(address: .unix(path: path), authentication: user)])
        #expect(fileMode(path) == 0o600)
        let client = TestClient(group: running.group, unixPath: path)
        for host in ["localhost", "localhost:8686"] {
            #expect(try await models(client, host: host).status == 200)
        }
        #expect(try await models(client, host: "evil.example").status == 421)
        #expect(await running.log.next().contains(#""key":"uid-\#(ProcessUser.own)""#))
    }

    @Test func foreignUserIsRefusedOnAUnixSocket() async throws {
        let running = try RunningGateway(UpstreamScript(always: .chatCompletion("ok")))
        let folder = try TemporaryFolder()
        let path = folder.path + "/gateway.sock"
        let others = ListenerSettings.Authentication.peer(uids: [ProcessUser.own &+ 1])
        try running.server.listen(on: [ListenerSettings(address: .unix(path: path), authentication: others)])
        let answer = try await models(TestClient(group: running.group, unixPath: path))
        #expect(answer.status == 403)
        #expect(answer.text.contains("peer_not_allowed") && answer.text.contains("uid \(ProcessUser.own)"))
    }

    @Test func changedRulesApplyToOpenConnections() async throws {
        let running = try RunningGateway(UpstreamScript(always: .chatCompletion("ok")))
        let folder = try TemporaryFolder()
        let path = folder.path + "/gateway.sock"
        func listen(_ uid: UInt32) throws {
            let user = ListenerSettings.Authentication.peer(uids: [uid])
            try running.server.listen(on: [ListenerSettings(address: .unix(path: path), authentication: user)])
        }
        try listen(ProcessUser.own)
        let client = TestClient(group: running.group, unixPath: path)
        let connection = try await client.raw("GET /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let first = try await connection.nextBytes() ?? []
        #expect(String(decoding: first, as: UTF8.self).hasPrefix("HTTP/1.1 200 "))
        try listen(ProcessUser.own &+ 1)
        #expect(try await connection.readToEnd().isEmpty)
        #expect(try await models(client).status == 403)
    }

    @Test func deadSocketIsReplacedAndOneInUseIsNot() async throws {
        let running = try RunningGateway(UpstreamScript(always: .chatCompletion("ok")))
        let other = try RunningGateway(UpstreamScript(always: .chatCompletion("ok")))
        let folder = try TemporaryFolder()
        let path = folder.path + "/gateway.sock"
        try folder.leaveDeadSocket(at: path)
        let settings = ListenerSettings(address: .unix(path: path))
        try running.server.listen(on: [settings])
        #expect(throws: ListenError.self) { try other.server.listen(on: [settings]) }
        #expect(try await models(TestClient(group: running.group, unixPath: path)).status == 401)
        try running.server.listen(on: [])
        #expect(fileMode(path) == nil)
    }

    @Test func fileInPlaceOfASocketIsNotTouched() throws {
        let running = try RunningGateway(UpstreamScript(always: .chatCompletion("ok")))
        let folder = try TemporaryFolder()
        let path = try folder.file("gateway.sock", "a letter")
        #expect(throws: ListenError.self) {
            try running.server.listen(on: [ListenerSettings(address: .unix(path: path))])
        }
        #expect(try folder.read("gateway.sock") == "a letter")
    }

    @Test func everyListenerAppliesItsOwnRules() async throws {
        let running = try RunningGateway(UpstreamScript(always: .chatCompletion("ok")))
        let bound = try running.server.listen(on: [
            ListenerSettings(address: ListenerTests.loopback),
            ListenerSettings(address: .tcp(ip: "::1", port: 0), authentication: .none),
        ])
        let keyed = try #require(bound[0].port)
        #expect(try await models(running.client, port: keyed, host: "127.0.0.1:\(keyed)").status == 401)
        let open = try #require(bound[1].port)
        let client = TestClient(group: running.group, ip: "::1")
        #expect(try await models(client, port: open, host: "[::1]:\(open)").status == 200)
    }

    @Test func removedListenerKeepsItsStreams() async throws {
        let running = try RunningGateway(
            UpstreamScript(always: .chatStream(words: ["a", "b", "c"], delay: .milliseconds(50))))
        let stream = try await running.openStream()
        let elsewhere = ListenerSettings(address: .tcp(ip: "127.0.0.2", port: 0))
        let port = try #require(try running.server.listen(on: [elsewhere])[0].port)
        await #expect(throws: TestFailure.self) { try await running.client.connect(port: running.port) }
        let client = TestClient(group: running.group, ip: "127.0.0.2")
        let health = try await client.request("GET", "/livez", headers: ["Host": "127.0.0.2:\(port)"], port: port)
        #expect(health.status == 200)
        #expect(try await stream.readEvents().last == "[DONE]")
    }

    @Test func unbindableAddressChangesNothing() async throws {
        let running = try RunningGateway(UpstreamScript(always: .chatCompletion("ok")))
        let other = try RunningGateway(UpstreamScript(always: .chatCompletion("ok")))
        #expect(throws: ListenError.self) {
            try running.server.listen(on: [
                ListenerSettings(address: ListenerTests.loopback),
                ListenerSettings(address: .tcp(ip: "127.0.0.1", port: other.port)),
            ])
        }
        #expect(try await running.ask().status == 200)
    }
}
