import HeadgateConfiguration
import Testing

@testable import HeadgateService

@Suite struct PreflightTests {
    private static let everywhere = ListenerConfiguration(address: .tcp(host: "0.0.0.0", port: 8686))

    @Test func externallyReachableAddressNeedsAKey() throws {
        let configuration = try PreflightTests.configuration(listeners: [PreflightTests.everywhere])
        let error = #expect(throws: Complaint.self) {
            try configuration.checkServable(isKeyed: false, environment: [:])
        }
        #expect(error?.message.hasPrefix("0.0.0.0:8686 can be reached by other machines") == true)
        #expect(error?.exitCode == .configuration)
        try configuration.checkServable(isKeyed: true, environment: [:])
    }

    @Test func loopbackNeedsNoKey() throws {
        try PreflightTests.configuration().checkServable(isKeyed: false, environment: [:])
    }

    @Test(arguments: ["http://127.0.0.1:8686/v1", "http://localhost:8686/v1", "http://[::1]:8686"])
    func gatewayIsNotItsOwnUpstream(url: String) throws {
        let configuration = try PreflightTests.configuration(upstream: url)
        let error = #expect(throws: Complaint.self) {
            try configuration.checkServable(isKeyed: true, environment: [:])
        }
        #expect(error?.message.contains("'a' is this gateway itself: is OPENAI_BASE_URL set to it") == true)
    }

    @Test(arguments: ["http://127.0.0.1:8687/v1", "https://127.0.0.1:8686/v1", "https://api.example.com:8686"])
    func otherPlacesAreNotTheGateway(url: String) throws {
        try PreflightTests.configuration(upstream: url).checkServable(isKeyed: true, environment: [:])
    }

    @Test func containerWithoutAnUpstreamGetsAdvice() throws {
        let configuration = Configuration(
            upstreams: [UpstreamConfiguration(name: "device", kind: .onDevice)], models: [])
        try configuration.checkServable(isKeyed: false, environment: [:])
        let error = #expect(throws: Complaint.self) {
            try configuration.checkServable(isKeyed: false, environment: ["HEADGATE_CONTAINER": "1"])
        }
        #expect(error?.message.hasPrefix("no upstream is configured") == true)
    }

    @Test func unencryptedKeysAreWarnedAbout() throws {
        var configuration = try PreflightTests.configuration(listeners: [PreflightTests.everywhere])
        #expect(configuration.warnings.count == 1)
        #expect(configuration.warnings.first?.hasPrefix("0.0.0.0:8686 can be reached by other machines") == true)
        configuration.listeners[0].tls = TLSFiles(certificate: "c", key: "k")
        #expect(configuration.warnings.isEmpty)
        #expect(try PreflightTests.configuration().warnings.isEmpty)
    }

    private static func configuration(
        listeners: [ListenerConfiguration] = [ListenerConfiguration(address: .standard)],
        upstream: String = "https://api.example.com/v1"
    ) throws -> Configuration {
        let upstream = UpstreamConfiguration(
            name: "a", kind: .openai, baseURL: try UpstreamURL(parsing: upstream, allowingPlainHTTP: true))
        return Configuration(listeners: listeners, upstreams: [upstream], models: [])
    }
}
