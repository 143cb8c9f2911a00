import HTTPTypes
import HeadgateConfiguration
import HeadgateGateway
import HeadgateHTTP
import HeadgateRelay
import HeadgateTesting
import Testing

/// Headers that an app sends about itself, next to those of the gateway and its configuration.
@Suite struct HeaderForwardingTests {
    private static let clientID = HTTPField.Name("Client-Id")!
    private static let appOS = HTTPField.Name("App-OS")!

    /// Returns a gateway with one upstream that forwards `App-OS` and `Client-Id`.
    ///
    /// - Parameters:
    ///   - headers: headers that the configuration sets.
    ///   - removed: headers that the configuration removes.
    ///   - stripped: betas that the configuration removes.
    private func gateway(
        headers: [HeaderConfiguration] = [], removed: [String] = [], stripped: [String] = []
    ) -> InProcessGateway {
        let transport = PlannedTransport(.json(#"{"id":"resp_1","object":"response","status":"completed"}"#))
        var configuration = UpstreamConfiguration(name: "up", kind: .openai)
        configuration.forwardedHeaders = ["app-os", "client-id"]
        configuration.headers = headers
        configuration.removedHeaders = removed
        configuration.strippedBetas = stripped
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

    @Test func appsHeadersOverrideTheFactorys() async throws {
        let gateway = gateway()
        let fields = try await sent(own, through: gateway)
        #expect(fields[values: Self.appOS] == ["iOS"] && fields[values: Self.clientID] == ["app-1"])
        #expect(fields[values: .authorization] == ["Bearer \(InProcessGateway.upstreamKey)"])
        let usual = try await sent([:], through: gateway)
        #expect(["linux", "macos"].contains(usual[Self.appOS]) && usual[Self.clientID] == "headgate")
    }

    @Test func eachHeaderIsDecidedSeparately() async throws {
        let fields = try await sent([Self.clientID: "app-1"], through: gateway())
        #expect(fields[values: Self.clientID] == ["app-1"] && ["linux", "macos"].contains(fields[Self.appOS]))
    }

    @Test func configuredValueIsTheDefaultOfAMissingHeader() async throws {
        let gateway = gateway(headers: [HeaderConfiguration(name: "App-OS", value: "server")])
        #expect(try await sent([:], through: gateway)[values: Self.appOS] == ["server"])
        #expect(try await sent(own, through: gateway)[values: Self.appOS] == ["iOS"])
    }

    @Test func defaultCanBeRemoved() async throws {
        let gateway = gateway(removed: ["app-os"])
        #expect(try await sent([:], through: gateway)[Self.appOS] == nil)
        #expect(try await sent(own, through: gateway)[values: Self.appOS] == ["iOS"])
    }

    @Test func requestsForStoredResponsesHaveThemToo() async throws {
        let gateway = gateway()
        #expect(await gateway.ask(.get, "/v1/responses/resp_1", headerFields: own).status == 200)
        let fields = try #require(gateway.transport.requests.last).head.headerFields
        #expect(fields[values: Self.appOS] == ["iOS"] && fields[values: Self.clientID] == ["app-1"])
    }

    @Test(arguments: ["keep-alive, app-os", "app-os\t,keep-alive", "keep-alive,\tApp-OS "])
    func gatewayOnlyHeaderIsNotForwarded(_ connection: String) async throws {
        var client = own
        client[.connection] = connection
        let fields = try await sent(client, through: gateway(removed: ["app-os"]))
        #expect(fields[Self.appOS] == nil && fields[values: Self.clientID] == ["app-1"])
    }

    @Test(arguments: ["j\u{e4}ger", "\u{ff}"]) func nonASCIIBytesAreNotForwarded(_ value: String) async throws {
        let fields = try await sent([Self.clientID: value], through: gateway())
        #expect(fields[values: Self.clientID] == ["headgate"])
    }

    // MARK: Headers that request a feature

    private static let beta = HTTPField.Name("OpenAI-Beta")!
    private static let clientRequestID = HTTPField.Name("X-Client-Request-Id")!
    private static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
    private let features: HTTPFields = [Self.beta: "a=v1, b", Self.clientRequestID: "r1", Self.idempotencyKey: "k1"]

    @Test func featuresPassWithoutConfiguration() async throws {
        let fields = try await sent(features, through: gateway())
        #expect(fields[values: Self.beta] == ["a=v1, b"] && fields[values: Self.clientRequestID] == ["r1"])
    }

    @Test func idempotencyKeysOfTwoCallersAreNeverTheSame() async throws {
        let gateway = gateway()
        func key() -> String? { gateway.transport.requests.last?.head.headerFields[Self.idempotencyKey] }
        _ = try await sent(features, through: gateway)
        let first = try #require(key())
        #expect(first.utf8.count == 64 && first.allSatisfy(\.isHexDigit))
        _ = try await sent(features, through: gateway)
        #expect(key() == first)
        let other = await gateway.chat(key: InProcessGateway.limitedKey, headerFields: features)
        #expect(other.status == 200)
        #expect(key() != first && key()?.utf8.count == 64)
    }

    @Test(arguments: [(["b"], ["a=v1"]), (["a=v1", "b"], []), (["c"], ["a=v1, b"])])
    func strippedBetasAreNotForwarded(_ stripped: [String], _ left: [String]) async throws {
        #expect(try await sent(features, through: gateway(stripped: stripped))[values: Self.beta] == left)
    }

    @Test func configurationDecidesAboutFeatures() async throws {
        let set = gateway(headers: [HeaderConfiguration(name: "OpenAI-Beta", value: "x")])
        #expect(try await sent(features, through: set)[values: Self.beta] == ["x"])
        #expect(try await sent(features, through: gateway(removed: ["openai-beta"]))[Self.beta] == nil)
    }

    @Test func connectionFeaturesAreNotForwarded() async throws {
        var client = features
        client[.connection] = "idempotency-key"
        let fields = try await sent(client, through: gateway())
        #expect(fields[Self.idempotencyKey] == nil && fields[Self.clientRequestID] == "r1")
    }
}
