import CHeadgate
import HeadgateLibC
import HeadgateNetwork
import Testing

@Suite struct InheritedSocketTests {
    private func withPassed(_ descriptor: Int32, _ body: (ServiceEnvironment.Descriptor) throws -> Void) throws {
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        try body(ServiceEnvironment.Descriptor(number: descriptor, name: "test"))
    }

    private func isReady(_ descriptor: Int32) -> (nonBlocking: Bool, closesOnExec: Bool) {
        (fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0, fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func listeningIPSocketIsInheritedWithItsAddress(ip: String) throws {
        let listener = headgate_tcp_listen(ip, 0, 1)
        if ip == "::1", listener == -EADDRNOTAVAIL { return }
        try withPassed(listener) { passed in
            _ = fcntl(passed.number, F_SETFL, 0)
            _ = fcntl(passed.number, F_SETFD, 0)
            #expect(isReady(passed.number) == (false, false))
            let socket = try InheritedSocket(passed)
            #expect(isReady(passed.number) == (true, true))
            #expect(socket.descriptor == passed.number)
            guard case .tcp(ip, let port) = socket.address else {
                Issue.record("\(socket.address) is not \(ip)")
                return
            }
            #expect(port != 0)
            let client = headgate_tcp_connect(ip, port)
            defer { close(client) }
            var event = pollfd(fd: passed.number, events: Int16(POLLIN), revents: 0)
            #expect(poll(&event, 1, 10_000) == 1)
            let accepted = headgate_accept(socket.descriptor)
            #expect(accepted >= 0)
            close(accepted)
        }
    }

    @Test func listeningUnixSocketIsInheritedWithItsPath() throws {
        let path = "/tmp/headgate-test-\(getpid())-inherited.sock"
        defer { unlink(path) }
        try withPassed(unixSocket(at: path, kind: SOCK_STREAM, listens: true)) { passed in
            let socket = try InheritedSocket(passed)
            #expect(socket.address == .unix(path: path))
        }
    }

    @Test func abstractUnixSocketIsInheritedWithItsName() throws {
        let name = "@headgate-test-\(getpid())-abstract"
        try withPassed(unixSocket(at: name, kind: SOCK_STREAM, listens: true)) { passed in
            let socket = try InheritedSocket(passed)
            #expect(socket.address == .unix(path: name))
        }
    }

    @Test func unsuitableDescriptorsAreRefusedWithTheReason() throws {
        let connecting = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let datagrams = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        let netlink = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue), 0)
        let file = open("/dev/null", O_RDONLY)
        let cases: [(Int32, Int32, String)] = [
            (connecting, EINVAL, "does not listen"), (datagrams, EPROTOTYPE, "ListenStream="),
            (netlink, EAFNOSUPPORT, "neither"), (file, ENOTSOCK, "not a socket"),
        ]
        for (descriptor, code, words) in cases {
            try withPassed(descriptor) { passed in
                let error = #expect(throws: InheritedSocketError.self) { try InheritedSocket(passed) }
                #expect(error?.error == code)
                #expect(error?.description.contains(words) == true)
                #expect(isReady(passed.number) == (false, false))
            }
        }
    }
}
