import HTTPTypes
import HeadgateConfiguration
import HeadgateContract
import HeadgateFaults
import HeadgateHTTP
import HeadgatePrices
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// The chains of a gateway with everything configured, and of one with nothing configured.
@Suite struct CapabilityOrderTests {
    private struct Added: RelayMiddleware, UpstreamMiddleware {
        func intercept(
            _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
        ) -> (any Cancellable)? { next(request, completion: completion) }

        func intercept(
            _ request: UpstreamRequest, next: UpstreamNext, completion: @escaping UpstreamCompletion
        ) -> (any Cancellable)? { next(request, completion: completion) }
    }

    private static let upstream = UpstreamDefinition(
        name: "up", baseURL: BaseURL(endpoint: .tls(host: "up.example", port: 443), pathPrefix: "/v1"),
        credential: nil, transport: PlannedTransport(.answer("A")))

    private func plain() -> GatewaySnapshot {
        snapshot(Configuration(upstreams: [], models: [ModelConfiguration(name: "m", upstream: "up")], prices: nil))
    }

    private func snapshot(_ configuration: Configuration, _ change: (inout GatewayParts) -> Void = { _ in })
        -> GatewaySnapshot
    {
        var parts = GatewayParts()
        parts.accessLog = AccessLog(format: .json, sink: CollectedLines(), realtime: { 0 })
        parts.status = .forgetful { 0 }
        change(&parts)
        return GatewaySnapshot(configuration, upstreams: [Self.upstream], parts: parts)
    }

    private func full() throws -> GatewaySnapshot {
        var model = ModelConfiguration(name: "m", upstream: "up")
        model.cache = CacheConfiguration()
        model.onDisconnect = .drain
        let price = PriceEntry(name: "m", price: TokenPrice(input: 1, output: 1), source: .builtIn)
        let configuration = Configuration(
            upstreams: [], models: [model], budget: BudgetConfiguration(.tokens(1), every: .day),
            faultInjection: FaultInjectionConfiguration(isEnabled: true, rules: []), prices: PriceList(own: [price]),
            inspect: InspectConfiguration())
        let tracing = try CollectedSpans().tracing()
        return snapshot(configuration) { parts in
            parts.keptResponses = LocalResponses(RecordingStore(), lifetime: .seconds(60), largestRequest: 1 << 20)
            parts.recording = Added()
            parts.added = [.added("added", perRequest: Added(), perAttempt: Added())]
            parts.ledger = NotedLedger()
            parts.tracing = tracing
            parts.metrics = CountedRequests()
        }
    }

    private func names<Part>(_ parts: [Part]) -> [String] { parts.map { "\(type(of: $0 as Any))" } }

    private func gates(of operation: OperationDescription?, in snapshot: GatewaySnapshot) -> [String] {
        names(snapshot.capabilities.gates(of: operation, observedBy: [], in: CapabilityContext(of: snapshot)))
    }

    @Test func requestForAModelPassesEveryGate() throws {
        let full = try full()
        let callers = ["RequestIDMiddleware", "ObservationMiddleware", "TracingGate", "OriginGuardMiddleware"]
        #expect(
            gates(of: OperationTable.createChatCompletion, in: full)
                == callers + ["AuthenticationMiddleware", "LimitGate", "JSONBodyMiddleware"])
        #expect(
            gates(of: OperationTable.createTranscription, in: full)
                == callers + ["AuthenticationMiddleware", "LimitGate", "FormBodyMiddleware"])
        #expect(gates(of: OperationTable.listModels, in: full) == callers + ["AuthenticationMiddleware"])
        #expect(gates(of: nil, in: full) == callers)
    }

    @Test func polledOperationsAreNotTraced() throws {
        #expect(
            gates(of: OperationTable.getLiveness, in: try full())
                == ["RequestIDMiddleware", "ObservationMiddleware", "OriginGuardMiddleware"])
    }

    @Test func stagesWrapRequestsInOrder() throws {
        let full = try full()
        let common = [
            "InspectionMiddleware", "LimitMiddleware", "LedgerMiddleware", "RelayTracing", "FaultyResponseMiddleware",
            "DisconnectMiddleware", "CostMiddleware", "ResponseCacheMiddleware", "Added",
        ]
        func middlewares(of operation: RelayOperation) -> [String] {
            names(full.capabilities.perRequest(of: operation, in: CapabilityContext(of: full)))
        }
        #expect(middlewares(of: .createChatCompletion) == common)
        #expect(middlewares(of: .createResponse) == common + ["LocalTurnMiddleware"])
        #expect(middlewares(of: .compactResponse).last == "LocalTurnMiddleware")
        #expect(middlewares(of: .ollamaChat) == ["InspectionMiddleware", "OllamaRequests"] + common.dropFirst())
    }

    @Test func stagesWrapAttemptsInOrder() throws {
        let full = try full()
        #expect(
            names(full.capabilities.perAttempt(at: Self.upstream, UpstreamTimeouts()))
                == ["AttemptTracing", "FaultInjectionMiddleware", "Added", "AttemptInspection", "Added"])
    }

    @Test func costIsSetBeforeItIsReported() throws {
        let full = try full()
        #expect(
            names(full.capabilities.observers(in: CapabilityContext(of: full)))
                == ["CostObserver", "AccessLog", "StatusBoard", "MetricObserver", "TraceObserver", "LedgerNotes"])
    }

    @Test func unconfiguredStagesAreNotInTheChain() {
        let plain = plain()
        #expect(
            gates(of: OperationTable.createChatCompletion, in: plain) == [
                "RequestIDMiddleware", "ObservationMiddleware", "OriginGuardMiddleware", "AuthenticationMiddleware",
                "JSONBodyMiddleware",
            ])
        let context = CapabilityContext(of: plain)
        #expect(plain.capabilities.perRequest(of: .createChatCompletion, in: context).isEmpty)
        #expect(plain.capabilities.perAttempt(at: Self.upstream, UpstreamTimeouts()).isEmpty)
        #expect(names(plain.capabilities.observers(in: context)) == ["AccessLog", "StatusBoard"])
    }

    @Test func listingNamesEveryChain() {
        #expect(
            CapabilityOrder.listings.map { "\($0.title): \($0.parts.joined(separator: ", "))" } == [
                """
                Before the body is read: request id, observation, overload, tracing, origin, authentication, limits, \
                body
                """,
                """
                Around each request for a model: inspect, ollama, instructions, limits, ledger, tracing, fault_injection, \
                on_disconnect, prices, cache, responses
                """,
                "Around each attempt at a target of the model: tracing, fault_injection, inspect, record",
                "When the request is over: prices, access log, status, metrics, tracing, ledger",
            ])
    }
}
