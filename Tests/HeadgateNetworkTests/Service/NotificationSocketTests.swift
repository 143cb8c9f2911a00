import HeadgateLibC
import HeadgateNetwork
import Testing

@Suite struct NotificationSocketTests {
    private func receive(_ descriptor: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return count < 0 ? "errno \(errno)" : String(decoding: buffer[..<count], as: UTF8.self)
    }

    @Test(arguments: ["/tmp/headgate-test-\(getpid())-notify.sock", "@headgate-test-\(getpid())-notify"])
    func eachNoticeIsOneDatagram(address: String) throws {
        let manager = unixSocket(at: address, kind: SOCK_DGRAM)
        try #require(manager >= 0)
        defer {
            close(manager)
            unlink(address)
        }
        let notifications = try #require(NotificationSocket(address: address))
        #expect(notifications.send(.ready) == 0)
        #expect(notifications.send(.reloading(monotonicNanoseconds: 12_345_678_999)) == 0)
        #expect(notifications.send(.stopping) == 0)
        #expect(notifications.send(.watchdog) == 0)
        #expect(receive(manager) == "READY=1")
        #expect(receive(manager) == "RELOADING=1\nMONOTONIC_USEC=12345678")
        #expect(receive(manager) == "STOPPING=1")
        #expect(receive(manager) == "WATCHDOG=1")
    }

    @Test func noticesEndOnceAnotherProcessIsTheMainOne() throws {
        let address = "@headgate-test-\(getpid())-main"
        let manager = unixSocket(at: address, kind: SOCK_DGRAM)
        try #require(manager >= 0)
        defer { close(manager) }
        let notifications = try #require(NotificationSocket(address: address))
        for notice in [ServiceNotice.watchdog, .mainProcess(4711), .watchdog, .stopping] {
            #expect(notifications.send(notice) == 0)
        }
        #expect([receive(manager), receive(manager)] == ["WATCHDOG=1", "MAINPID=4711\nWATCHDOG=1"])
        #expect(receive(manager) == "errno \(EAGAIN)")
    }

    @Test func lostManagerIsReportedAndReconnected() throws {
        let address = "@headgate-test-\(getpid())-gone"
        let notifications = try #require(NotificationSocket(address: address))
        #expect(notifications.send(.ready) == ECONNREFUSED)
        let manager = unixSocket(at: address, kind: SOCK_DGRAM)
        defer { close(manager) }
        #expect(notifications.send(.ready) == 0)
        #expect(receive(manager) == "READY=1")
    }

    @Test func slowManagerDoesNotDelayTheProcess() throws {
        let address = "@headgate-test-\(getpid())-behind"
        let manager = unixSocket(at: address, kind: SOCK_DGRAM)
        try #require(manager >= 0)
        defer { close(manager) }
        let notifications = try #require(NotificationSocket(address: address))
        // This is far more than any queue holds. Without a bound on the wait, the loop would never end.
        let lost = (0..<100_000).lazy.map { _ in notifications.send(.watchdog) }.first { $0 != 0 }
        #expect(lost == EAGAIN)
    }
}
