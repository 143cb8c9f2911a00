import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Synchronization
import Testing

@testable import HeadgateGateway

@Suite struct ModelDiscoveryTests {
    /// Answers when it is told to.
    private final class WaitingTransport: RelayTransport {
        private let asked = Mutex(0)

        var count: Int { asked.withLock { $0 } }

        func send(
            _ head: OutgoingHead, body: [UInt8]?, baseURL: BaseURL, operationID: String,
            completion: @escaping (Result<UpstreamAnswer, TransportError>) -> Void
        ) -> (any Cancellable)? {
            asked.withLock { $0 += 1 }
            return nil
        }
    }

    private func discovery(
        _ transport: any RelayTransport, clock: ManualClock = ManualClock(), kind: UpstreamKind = .openai,
        models: [String] = ["*"]
    ) -> ModelDiscovery {
        let keeper = Keeper()
        let access: CatalogueAccess = { change in keeper.state.withLock { change(&$0) } }
        let definition = UpstreamDefinition(
            UpstreamConfiguration(name: "up", kind: kind),
            baseURL: BaseURL(endpoint: .tls(host: "api.example", port: 443), pathPrefix: "/v1"),
            credential: Secret("sk-real"), catalogue: access
        ) { _ in transport }
        let snapshot = GatewaySnapshot(
            upstreams: [definition], models: models.map { ModelConfiguration(name: $0, upstream: "up") }, keys: [],
            limits: LimitsConfiguration())
        return ModelDiscovery(
            snapshot.definitions, models: snapshot.models, realtime: { InProcessGateway.now },
            sleep: { try await clock.sleep(for: $0) })
    }

    private final class Keeper: Sendable {
        let state = Mutex(ModelCatalogue())
    }

    @Test func listIsAskedForWithTheRealKeyAndKept() async {
        let transport = PlannedTransport(.json(#"{"data":[{"id":"a"},{"id":"b"}]}"#))
        let discovery = discovery(transport)
        for _ in 0..<2 {
            await discovery.refresh(for: ClientKey.keyless)
            #expect(discovery.names(for: ClientKey.keyless) == ["a", "b"])
        }
        #expect(transport.requests.count == 1)
        #expect(transport.requests.first?.head.path == "/v1/models")
        #expect(transport.requests.first?.head.headerFields[.authorization] == "Bearer sk-real")
    }

    @Test func nobodyWaitsLongForAnUpstreamThatDoesNotAnswer() async throws {
        let (transport, clock) = (WaitingTransport(), ManualClock())
        let discovery = discovery(transport, clock: clock)
        async let refreshed: Void = discovery.refresh(for: ClientKey.keyless)
        try await clock.untilScheduled()
        clock.advance(by: ModelDiscovery.longestWait)
        await refreshed
        #expect(discovery.names(for: ClientKey.keyless).isEmpty && transport.count == 1)
    }

    @Test func callerWithoutAnyOfItsModelsDoesNotMakeItAsked() async {
        let transport = PlannedTransport(.json(#"{"data":[{"id":"a"}]}"#))
        await discovery(transport).refresh(for: UnknownCaller())
        await discovery(transport, models: ["exact"]).refresh(for: ClientKey.keyless)
        await discovery(transport, kind: .azure).refresh(for: ClientKey.keyless)
        #expect(transport.requests.isEmpty)
    }
}
