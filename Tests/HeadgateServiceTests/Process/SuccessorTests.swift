import HeadgateLibC
import HeadgateNetwork
import Testing

@testable import HeadgateService

@Suite struct SuccessorTests {
    /// The gateway does not ignore the signal, because it reloads on it.
    @Test(arguments: [false, true]) func successorIgnoresTheHangUpThatTheGatewayWasStartedWith(isIgnored: Bool) throws {
        let (_, end) = try HandoverChannel.pair()
        let process = Successor.start(
            ["/bin/sh", "-c", "kill -HUP $$; exit 7"], [:], at: end.descriptor, ignoresHangUp: isIgnored)
        try #require(process > 0)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        #expect(status == (isIgnored ? 7 << 8 : SIGHUP))
    }
}
