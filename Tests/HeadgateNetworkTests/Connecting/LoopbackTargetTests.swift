import CHeadgate
import HeadgateLibC
import HeadgateNetwork
import Testing

@Suite struct LoopbackTargetTests {
    @Test(arguments: ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
    func addressOfThisMachineIsATarget(_ host: String) {
        #expect(LoopbackTarget(host: host, port: 80) != nil)
    }

    @Test(arguments: [
        "localhost", "example.com", "10.0.0.1", "0.0.0.0", "::", "1.1.1.1", "fe80::1", "127.1", "",
        "64:ff9b::7f00:1", "2002:7f00:1::1", "::127.0.0.1", "::ffff:0:127.0.0.1", "::2",
    ])
    func anythingElseIsNone(_ host: String) {
        #expect(LoopbackTarget(host: host, port: 80) == nil)
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func listenerIsConnectedToAtOnce(_ ip: String) throws {
        let listener = try ListeningSocket(ip)
        let target = try #require(LoopbackTarget(host: ip, port: listener.port))
        let descriptor = try #require(target.connectAtOnce())
        defer { close(descriptor) }
        #expect(headgate_connect_result(descriptor) == 0)
        #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0)
        let accepted = headgate_accept(listener.descriptor)
        #expect(accepted >= 0)
        close(accepted)
    }

    @Test func refusedOrSlowTargetsAreLeftToTheConnector() throws {
        // The port is bound, so that no one else can take it, but no socket listens on it.
        let (listener, reserved) = try ListeningSocket.onlyIPv6()
        defer { close(reserved) }
        #expect(try #require(LoopbackTarget(host: "127.0.0.1", port: listener.port)).connectAtOnce() == nil)
        let hole = BlackHole(try ListeningSocket("127.0.0.1", backlog: 1), ip: "127.0.0.1")
        let target = try #require(LoopbackTarget(host: "127.0.0.1", port: hole.listener.port))
        #expect(target.connectAtOnce() == nil)
    }
}
