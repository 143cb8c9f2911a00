import HeadgateConfiguration
import HeadgateGateway
import HeadgateLibC
import HeadgateNetwork
import HeadgateRelay
import HeadgateServer
import HeadgateTesting
import Testing

@testable import HeadgateService

@Suite struct ListenerComposerTests {
    private let composer = ListenerComposer(inherited: [])
    private let local = ListenAddress.tcp(host: "127.0.0.1", port: 0)
    private let nobodyIsAsked = ListenerConfiguration.Authentication.none

    @Test func localhostIsTheLoopbackAddress() throws {
        let settings = try composer.settings(for: [
            ListenerConfiguration(address: .tcp(host: "localhost", port: 8686))
        ])
        #expect(settings.map(\.address) == [.tcp(ip: "127.0.0.1", port: 8686)])
        #expect(settings[0].authentication == .key)
    }

    @Test func unixSocketServesItsOwnerAndTheConfiguredUsers() throws {
        let settings = try composer.settings(for: [
            ListenerConfiguration(address: .unix(path: "/run/h.sock"), mode: 0o660, uids: [4711])
        ])
        #expect(settings[0].authentication == .peer(uids: [getuid(), 4711]))
        #expect(settings[0].mode == 0o660)
    }

    @Test func connectionsAreMarkedWithTheRoutesOfTheirListener() throws {
        let apis = ListenerConfiguration.API.allCases
        let settings = try composer.settings(for: apis.map { ListenerConfiguration(address: local, api: $0) })
        #expect(settings.map { RouteSelection(rawValue: $0.tag) } == [.all, .ollama, .metrics])
    }

    @Test func unreadableCertificateIsAConfigurationError() {
        let listener = ListenerConfiguration(
            address: local, tls: TLSFiles(certificate: "/nowhere/cert.pem", key: "/nowhere/key.pem"))
        let error = #expect(throws: Complaint.self) { try composer.settings(for: [listener]) }
        #expect(error?.exitCode == .configuration)
        #expect(error?.message.hasPrefix("cannot serve TLS on 127.0.0.1:0: ") == true)
    }

    @Test func everyUserWithAccessIsACallerWithoutKey() {
        let listeners = [
            ListenerConfiguration(address: .unix(path: "/run/a.sock"), uids: [4711]),
            ListenerConfiguration(address: .unix(path: "/run/b.sock"), uids: [4711, 4712]),
            ListenerConfiguration(address: local),
        ]
        #expect(composer.callersWithoutKey(listeners) == 3)
    }

    @Test func inheritedSocketReplacesAllAddressesAndKeepsItsSettings() throws {
        let socket = try inherit()
        guard case .tcp(let ip, let port) = socket.address else {
            Issue.record("\(socket.address)")
            return
        }
        let composer = ListenerComposer(inherited: [socket])
        let settings = try composer.settings(for: [
            ListenerConfiguration(address: .tcp(host: ip, port: port), authentication: nobodyIsAsked),
            ListenerConfiguration(address: .standard),
        ])
        #expect(settings.map(\.address) == [.tcp(ip: ip, port: port)])
        #expect(settings[0].inherited == socket.descriptor)
        #expect(settings[0].authentication == .none)
        close(socket.descriptor)
    }

    @Test func unconfiguredInheritedAddressRequiresAKey() throws {
        let socket = try inherit()
        let settings = try ListenerComposer(inherited: [socket]).settings(for: [
            ListenerConfiguration(address: .standard, authentication: nobodyIsAsked)
        ])
        #expect(settings[0].authentication == .key)
        close(socket.descriptor)
    }

    /// Returns a listening socket on a free port, as a service manager passes it.
    private func inherit() throws -> InheritedSocket {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0, listen(descriptor, 1) == 0 else { throw TestFailure.listen("errno \(errno)") }
        return try InheritedSocket(ServiceEnvironment.Descriptor(number: descriptor, name: "test"))
    }
}
