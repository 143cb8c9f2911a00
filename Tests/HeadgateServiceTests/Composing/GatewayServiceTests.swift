import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateLibC
import HeadgateRelay
import HeadgateServer
import HeadgateTesting
import Testing

@testable import HeadgateService

@Suite struct GatewayServiceTests {
    private let folder: TemporaryFolder
    private var socket: String { folder.path + "/a.sock" }

    init() throws { folder = try TemporaryFolder() }

    @Test func nothingListensBeforeItIsOpened() throws {
        try withService(try serving(["a"], on: [.unix(path: socket)])) { service in
            #expect(service.addresses.isEmpty)
            #expect(fileMode(socket) == nil)
            try service.open()
            #expect(service.addresses == [.unix(path: socket)])
            #expect(fileMode(socket) == 0o600)
        }
    }

    @Test func appliedConfigurationReplacesTheFirst() throws {
        try withService(try serving(["a"], on: [.unix(path: socket)])) { service in
            try service.open()
            #expect(service.modelNames == ["a"])
            let free = ListenAddress.tcp(host: "127.0.0.1", port: 0)
            try service.apply(
                try serving(["b", "c"], on: [.unix(path: socket + ".new"), free]), authentication: .keyless)
            #expect(service.modelNames == ["b", "c"])
            #expect(fileMode(socket) == nil)
            #expect(fileMode(socket + ".new") == 0o600)
            #expect(service.listening.first == "unix:\(socket).new")
            #expect(service.listening.last?.hasPrefix("http://127.0.0.1:") == true)
            #expect(service.addresses.last?.port != 0)
        }
    }

    @Test func unservableConfigurationChangesNothing() throws {
        try withService(try serving(["a"], on: [.unix(path: socket)])) { service in
            try service.open()
            let broken = try serving(["b"], on: [.unix(path: "/nowhere/h.sock")])
            #expect(throws: Complaint.self) { try service.apply(broken, authentication: .keyless) }
            #expect(service.modelNames == ["a"])
            #expect(service.configuration.models.map(\.name) == ["a"])
            #expect(service.listening == ["unix:\(socket)"])
            #expect(fileMode(socket) == 0o600)
        }
    }

    @Test func addressInUseIsNamedWithAdvice() throws {
        try withService(try serving([], on: [.tcp(host: "127.0.0.1", port: 0)])) { first in
            try first.open()
            let port = try #require(first.addresses.first?.port)
            try withService(try serving([], on: [.tcp(host: "127.0.0.1", port: port)])) { second in
                let error = #expect(throws: Complaint.self) { try second.open() }
                #expect(error?.message.contains("cannot listen on 127.0.0.1:\(port)") == true)
                #expect(error?.message.contains("choose another one with --listen PORT") == true)
            }
        }
    }

    private func serving(_ models: [String], on addresses: [ListenAddress]) throws -> Configuration {
        Configuration(
            listeners: addresses.map { ListenerConfiguration(address: $0) },
            upstreams: [
                UpstreamConfiguration(
                    name: "a", kind: .openai, baseURL: try UpstreamURL(parsing: "http://127.0.0.1:9"))
            ],
            models: models.map { ModelConfiguration(name: $0, upstream: "a") })
    }

    /// - Parameter body: receives the service before it is opened.
    private func withService(_ configuration: Configuration, _ body: (GatewayService) throws -> Void) throws {
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let sink = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(sink) }
        let log = try LogWriter(group: group, to: LogDescriptor(descriptor: sink))
        defer { log.close() }
        let service = try GatewayService(
            configuration, authentication: .keyless, environment: [:], group: group, log: log,
            requestLog: try RequestLog(LogConfiguration(), log: log, environment: [:], group: group), inherited: [],
            observer: .none)
        try body(service)
        let closed = Latch()
        service.server.shutDown { closed.open() }
        closed.wait()
    }
}
