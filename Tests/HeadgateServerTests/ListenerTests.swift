import CHeadgate
import HeadgateEventLoop
import HeadgateLibC
import HeadgateServer
import Testing

@Suite struct ListenerTests {
    private let path = "/tmp/headgate-\(UInt64.random(in: 0 ... .max)).sock"

    private func exists() -> Bool { access(path, F_OK) == 0 }

    /// Listens on the socket, then no more.
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
}
