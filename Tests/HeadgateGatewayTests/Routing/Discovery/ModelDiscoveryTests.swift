import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct ModelDiscoveryTests {
    /// Responds when the test releases it.
    private final class WaitingTransport: RelayTransport {
        private let asked = Locked(0)

        var count: Int { asked.withLock { $0 } }

        func send(
            _: UpstreamRequest, to _: BaseURL, completion _: @escaping UpstreamCompletion
        ) -> (any Cancellable)? {
            asked.withLock { $0 += 1 }
            return nil
        }
    }

    private func discovery(
        _ transport: any RelayTransport, catalogue: Locked<ModelCatalogue> = Locked(ModelCatalogue()),
        kind: UpstreamKind = .openai, models: [String] = ["*"]
    ) -> ModelDiscovery { handler(transport, catalogue: catalogue, kind: kind, models: models).discovery }

    private func handler(
        _ transport: any RelayTransport, catalogue: Locked<ModelCatalogue> = Locked(ModelCatalogue()),
        kind: UpstreamKind = .openai, models: [String] = ["*"]
    ) -> ModelsHandler {
        let access: CatalogueAccess = { catalogue.withLock($0) }
        let definition = UpstreamDefinition(
            UpstreamConfiguration(name: "up", kind: kind),
            baseURL: BaseURL(endpoint: .tls(host: "api.example", port: 443), pathPrefix: "/v1"),
            credentials: [Secret("sk-real")], catalogue: access
        ) { _ in transport }
        let snapshot = GatewaySnapshot(
            Configuration(upstreams: [], models: models.map { ModelConfiguration(name: $0, upstream: "up") }),
            upstreams: [definition])
        let discovery = ModelDiscovery(
            snapshot.relay.definitions, models: snapshot.relay.models, realtime: { InProcessGateway.now })
        return ModelsHandler(models: snapshot.relay.models, discovery: discovery, created: 1_800_000_000)
    }

    private static func never(_: Duration, _: @escaping @Sendable () -> Void) -> (any Cancellable)? { nil }

    @Test func listIsFetchedWithTheRealKeyAndCached() async {
        let transport = PlannedTransport(.json(#"{"data":[{"id":"a"},{"id":"b"}]}"#))
        let discovery = discovery(transport)
        for _ in 0..<2 {
            await discovery.refresh(for: ClientKey.keyless, after: Self.never)
            #expect(discovery.names(for: ClientKey.keyless) == ["a", "b"])
        }
        #expect(transport.requests.count == 1)
        #expect(transport.requests.first?.head.path == "/v1/models")
        #expect(transport.requests.first?.head.headerFields[.authorization] == "Bearer sk-real")
    }

    @Test func listIsFetchedForASingleModelToo() async {
        let transport = PlannedTransport(.json(#"{"data":[{"id":"a"}]}"#))
        let handler = handler(transport)
        await handler.refresh(for: ClientKey.keyless, after: Self.never)
        #expect(transport.requests.count == 1 && handler.discovery.names(for: ClientKey.keyless) == ["a"])
    }

    private static let entry =
        #"{"id":"a","object":"model","created":17,"owned_by":"vllm","max_model_len":131072,"root":"/models/a"}"#

    private func text(_ response: ServerResponse) -> String {
        if case .bytes(let bytes)? = response.body { String(decoding: bytes, as: UTF8.self) } else { "" }
    }

    @Test func listedModelKeepsTheUpstreamsDetails() async throws {
        let handler = handler(PlannedTransport(.json("{\"data\":[\(Self.entry)]}")))
        let listed = text(await handler.list(for: .keyless, after: Self.never))
        let entry =
            #"{"id":"a","object":"model","created":17,"owned_by":"vllm","upstream":"up","#
            + #""speaks":["chat","responses"],"location":"cloud","context_length":131072,"max_model_len":131072}"#
        #expect(listed == "{\"object\":\"list\",\"data\":[\(entry)]}")
        #expect(text(try handler.retrieve("a", for: .keyless)) == entry)
        let anthropic =
            #"{"type":"model","id":"a","display_name":"a","created_at":"2027-01-15T08:00:00.000Z","lifecycle":"active","#
            + #""max_input_tokens":131072,"max_model_len":131072}"#
        #expect(text(try handler.retrieve("a", for: .keyless, dialect: .anthropic)) == anthropic)
    }

    @Test func unresponsiveUpstreamDelaysTheListOnlyBriefly() async throws {
        let (transport, clock, catalogue) = (WaitingTransport(), ManualClock(), Locked(ModelCatalogue()))
        let discovery = discovery(transport, catalogue: catalogue)
        async let refreshed: Void = discovery.refresh(for: ClientKey.keyless) { delay, action in
            clock.schedule(afterNanoseconds: UInt64(delay.components.seconds) * 1_000_000_000, action)
            return nil
        }
        try await clock.untilScheduled()
        clock.advance(by: ModelDiscovery.longestWait)
        await refreshed
        #expect(discovery.names(for: ClientKey.keyless).isEmpty && transport.count == 1)
        // A timed-out waiter is released before the response arrives.
        #expect(catalogue.withLock { $0.waiters.isEmpty })
    }

    @Test func listOfTenThousandNamesIsQuick() async {
        let names = (0..<10_000).map { "vendor/Model-\($0)-instruct" }
        let transport = PlannedTransport(
            .json("{\"data\":[\(names.map { "{\"id\":\"\($0)\"}" }.joined(separator: ","))]}"))
        let discovery = discovery(transport)
        await discovery.refresh(for: ClientKey.keyless, after: Self.never)
        let start = ContinuousClock.now
        #expect(discovery.names(for: ClientKey.keyless) == names)
        let took = start.duration(to: .now)
        #expect(took < .seconds(2), "took \(took)")
    }

    @Test func onlyListsOfAnthropicHavePages() async {
        let page = #"{"data":[{"id":"a"}],"has_more":true,"last_id":"a"}"#
        for (kind, count) in [(UpstreamKind.openai, 1), (.anthropic, 2)] {
            let transport = PlannedTransport(.json(page))
            let discovery = discovery(transport, kind: kind)
            await discovery.refresh(for: ClientKey.keyless, after: Self.never)
            #expect(discovery.names(for: ClientKey.keyless) == ["a"])
            #expect(transport.requests.count == count)
        }
    }

    @Test func endlessListEndsAfterTwentyPages() async {
        let pages = (1...25).map {
            PlannedTransport.Plan.json(#"{"data":[{"id":"m\#($0)"}],"has_more":true,"last_id":"m\#($0)"}"#)
        }
        let transport = PlannedTransport(pages)
        let discovery = discovery(transport, kind: .anthropic)
        await discovery.refresh(for: ClientKey.keyless, after: Self.never)
        #expect(transport.requests.count == 20)
        #expect(discovery.names(for: ClientKey.keyless) == (1...20).map { "m\($0)" })
        #expect(transport.requests.last?.head.path == "/v1/models?limit=1000&after_id=m19")
    }

    @Test func callerWithoutItsModelsDoesNotTriggerAQuery() async {
        let transport = PlannedTransport(.json(#"{"data":[{"id":"a"}]}"#))
        await discovery(transport).refresh(for: .unknown, after: Self.never)
        await discovery(transport, models: ["exact"]).refresh(for: ClientKey.keyless, after: Self.never)
        await discovery(transport, kind: .azure).refresh(for: ClientKey.keyless, after: Self.never)
        #expect(transport.requests.isEmpty)
    }
}
