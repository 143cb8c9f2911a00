import HTTPTypes
import HeadgateConfiguration
import HeadgateGateway
import HeadgateHTTP
import HeadgateRelay
import HeadgateTesting
import Testing

/// Fields that an app sends about itself, beside those that the gateway and its configuration would send.
@Suite struct HeaderForwardingTests {
    private static let clientID = HTTPField.Name("Client-Id")!
    private static let appOS = HTTPField.Name("App-OS")!

    /// A gateway with one upstream, which passes `App-OS` and `Client-Id` on.
    ///
    /// - Parameters:
    ///   - headers: set by the configuration.
    ///   - removed: taken out by it.
    private func gateway(headers: [HeaderConfiguration] = [], removed: [String] = []) -> InProcessGateway {
        let transport = PlannedTransport(.json(#"{"id":"resp_1","object":"response","status":"completed"}"#))
        var configuration = UpstreamConfiguration(name: "up", kind: .openai)
        configuration.forwardedHeaders = ["app-os", "client-id"]
        configuration.headers = headers
        configuration.removedHeaders = removed
        let upstream = UpstreamDefinition(
            configuration, baseURL: BaseURL(endpoint: .tls(host: "api.example", port: 443), pathPrefix: "/v1"),
            credentials: [Secret(InProcessGateway.upstreamKey)]
        ) { _ in transport }
        return InProcessGateway(
            transport: transport, upstreams: [upstream], models: [ModelConfiguration(name: "plain", upstream: "up")],
            keys: InProcessGateway.keys)
    }

    private func sent(_ client: HTTPFields, through gateway: InProcessGateway) async throws -> HTTPFields {
        #expect(await gateway.chat(headerFields: client).status == 200)
        return try #require(gateway.transport.requests.last).head.headerFields
    }

    private let own: HTTPFields = [Self.appOS: "iOS", Self.clientID: "app-1"]

    @Test func appsOwnFieldsWinOverTheFactorys() async throws {
        let gateway = gateway()
        let fields = try await sent(own, through: gateway)
        #expect(fields[values: Self.appOS] == ["iOS"] && fields[values: Self.clientID] == ["app-1"])
        #expect(fields[values: .authorization] == ["Bearer \(InProcessGateway.upstreamKey)"])
        let usual = try await sent([:], through: gateway)
        #expect(["linux", "macos"].contains(usual[Self.appOS]) && usual[Self.clientID] == "headgate")
    }

    @Test func eachFieldIsTheClientsOrTheGatewaysByItself() async throws {
        let fields = try await sent([Self.clientID: "app-1"], through: gateway())
        #expect(fields[values: Self.clientID] == ["app-1"] && ["linux", "macos"].contains(fields[Self.appOS]))
    }

    @Test func configuredValueIsTheDefaultWhereTheClientSendsNone() async throws {
        let gateway = gateway(headers: [HeaderConfiguration(name: "App-OS", value: "server")])
        #expect(try await sent([:], through: gateway)[values: Self.appOS] == ["server"])
        #expect(try await sent(own, through: gateway)[values: Self.appOS] == ["iOS"])
    }

    @Test func defaultIsTakenOutWhereTheClientSendsNone() async throws {
        let gateway = gateway(removed: ["app-os"])
        #expect(try await sent([:], through: gateway)[Self.appOS] == nil)
        #expect(try await sent(own, through: gateway)[values: Self.appOS] == ["iOS"])
    }

    @Test func requestsForStoredResponsesCarryThemToo() async throws {
        let gateway = gateway()
        #expect(await gateway.ask(.get, "/v1/responses/resp_1", headerFields: own).status == 200)
        let fields = try #require(gateway.transport.requests.last).head.headerFields
        #expect(fields[values: Self.appOS] == ["iOS"] && fields[values: Self.clientID] == ["app-1"])
    }

    @Test(arguments: ["keep-alive, app-os", "app-os\t,keep-alive", "keep-alive,\tApp-OS "])
    func fieldThatIsForTheGatewayAloneGoesNoFurther(_ connection: String) async throws {
        var client = own
        client[.connection] = connection
        let fields = try await sent(client, through: gateway(removed: ["app-os"]))
        #expect(fields[Self.appOS] == nil && fields[values: Self.clientID] == ["app-1"])
    }

    @Test(arguments: ["j\u{e4}ger", "\u{ff}"]) func octetsThatAreNotASCIIGoNoFurther(_ value: String) async throws {
        let fields = try await sent([Self.clientID: value], through: gateway())
        #expect(fields[values: Self.clientID] == ["headgate"])
    }
}
