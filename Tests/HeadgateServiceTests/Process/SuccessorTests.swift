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

    /// The other end of the pair is close-on-exec, and the pipe is not.
    @Test func successorHasNoDescriptorButTheStreamsAndItsEnd() throws {
        let (own, end) = try HandoverChannel.pair()
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for descriptor in ends { close(descriptor) } }
        try #require(ends.allSatisfy { $0 > 3 })
        let script =
            "for fd in 3 \(ends[0]) \(ends[1]) \(own.descriptor); do "
            + "[ -e /dev/fd/$fd ] && found=\"$found $fd\"; done; [ \"$found\" = \" 3\" ]"
        let process = Successor.start(
            ["/bin/sh", "-c", script], [:], at: end.descriptor, ignoresHangUp: false, isSibling: false)
        try #require(process > 0)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        #expect(status == 0)
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
