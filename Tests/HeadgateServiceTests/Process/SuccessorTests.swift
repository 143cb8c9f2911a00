import HeadgateLibC
import HeadgateNetwork
import Testing

@testable import HeadgateService

@Suite struct SuccessorTests {
    /// The gateway does not ignore the signal, because it reloads on it.
    @Test(arguments: [false, true]) func successorIgnoresTheHangUpThatTheGatewayWasStartedWith(isIgnored: Bool) throws {
        let (_, end) = try HandoverChannel.pair()
        let process = Successor.start(
            ["/bin/sh", "-c", "kill -HUP $$; exit 7"], [:], at: end.descriptor, ignoresHangUp: isIgnored,
            isSibling: false)
        try #require(process > 0)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        #expect(status == (isIgnored ? 7 << 8 : SIGHUP))
    }

    #if os(Linux)
        @Test func successorOfAManagedGatewayIsNotItsChild() throws {
            let (own, end) = try HandoverChannel.pair()
            let process = Successor.start(
                ["/bin/sh", "-c", "read line <&3"], [:], at: end.descriptor, ignoresHangUp: false, isSibling: true)
            try #require(process > 0)
            var status: Int32 = 0
            #expect(waitpid(process, &status, WNOHANG) == -1 && errno == ECHILD)
            withExtendedLifetime(own) {}
        }
    #endif
}
