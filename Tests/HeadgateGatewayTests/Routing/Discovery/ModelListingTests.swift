import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// The search for configured models at an upstream.
@Suite struct ModelListingTests {
    private let transport = ManualTransport()

    private func look(
        for wanted: [String], kind: UpstreamKind = .openai, answering: (ManualTransport.Call) -> Void
    ) throws -> ModelListing {
        let definition = UpstreamDefinition(
            UpstreamConfiguration(name: "up", kind: kind),
            baseURL: BaseURL(endpoint: .tls(host: "h", port: 443), pathPrefix: "/v1"), credentials: []
        ) { [transport] _ in transport }
        var found: ModelListing?
        definition.look(for: wanted, now: { 0 }, completion: { found = $0 })
        while found == nil, let call = transport.calls.last { answering(call) }
        return try #require(found)
    }

    private func list(_ call: ManualTransport.Call, _ names: String...) {
        call.respond(type: "application/json")
        call.body.send(#"{"data":[\#(names.map { #"{"id":"\#($0)"}"# }.joined(separator: ","))]}"#)
        call.body.finish()
    }

    private var paths: [String?] { transport.calls.map(\.request.head.request.path) }

    @Test func onlyUnlistedModelsAreAskedFor() throws {
        let listing = try look(for: ["a", "llama", "b/c", "d", "e"]) { call in
            switch call.request.head.request.path {
            case "/v1/models": list(call, "a", "llama:latest", "b")
            case "/v1/models/b%2Fc": call.respond(200)
            case "/v1/models/d": call.respond(404)
            default: call.respond(500)
            }
        }
        #expect(paths == ["/v1/models", "/v1/models/b%2Fc", "/v1/models/d", "/v1/models/e"])
        #expect(try listing.names.get() == ["a", "llama:latest", "b"])
        #expect(listing.missing == ["d"] && listing.untold.map(\.name) == ["e"])
        guard case .status(500)? = listing.untold.first?.reason else {
            Issue.record("\(listing.untold)")
            return
        }
        #expect(transport.calls.dropFirst().allSatisfy { $0.body.calls == ["cancel"] })
    }

    @Test func failureOfAQuestionLeavesOnlyItsModelUntold() throws {
        let listing = try look(for: ["a", "b"]) { call in
            switch call.request.head.request.path {
            case "/v1/models": list(call)
            case "/v1/models/a": call.fail(.connectTimeout)
            default: call.respond(200)
            }
        }
        #expect(listing.missing.isEmpty && listing.untold.map(\.name) == ["a"])
        guard case .transport(TransportError(.connectTimeout))? = listing.untold.first?.reason else {
            Issue.record("\(listing.untold)")
            return
        }
    }

    @Test func withoutAListNothingElseIsAsked() throws {
        let listing = try look(for: ["a"]) { $0.respond(401) }
        guard case .failure(.status(401)) = listing.names else {
            Issue.record("\(listing.names)")
            return
        }
        #expect(paths == ["/v1/models"] && listing.missing.isEmpty && listing.untold.isEmpty)
    }

    @Test func searchHasALimitThatGrowsWithTheModels() {
        #expect(ModelListing.longest(for: 0) == .seconds(85) && ModelListing.longest(for: 3) == .seconds(160))
    }

    @Test(
        arguments: [
            (UpstreamKind.openai, nil, true, true), (.openai, nil, false, false), (.openai, true, false, true),
            (.openai, false, true, false), (.azure, nil, true, false), (.azure, true, true, true),
            (.onDevice, true, true, false), (.anthropic, nil, true, true),
        ] as [(UpstreamKind, Bool?, Bool, Bool)])
    func upstreamIsAskedForItsModelsIfTheyMatter(
        _ kind: UpstreamKind, _ discovers: Bool?, _ isNamedByPattern: Bool, _ isAsked: Bool
    ) {
        var configuration = UpstreamConfiguration(name: "up", kind: kind)
        configuration.discovers = discovers
        #expect(configuration.listsModels(isNamedByPattern: isNamedByPattern) == isAsked)
        configuration.command = CommandConfiguration(arguments: ["serve"])
        #expect(!configuration.listsModels(isNamedByPattern: isNamedByPattern))
    }
}
