import HTTPTypes
import HeadgateHTTP
import HeadgateKit
import HeadgateOpenAPI
import Testing

@Suite struct GatewayAdditionsTests {
    private struct Passing: ServerMiddleware {
        func intercept(
            _ request: HTTPRequest, body: HTTPBody?, metadata: ServerRequestMetadata, operationID: String,
            next: OperationHandler
        ) async throws -> (HTTPResponse, HTTPBody?) { try await next(request, body, metadata) }
    }

    private func failure(_ add: (inout GatewayAdditions) -> Void) -> String? {
        do {
            _ = try Gateway(add)
            return nil
        } catch {
            return (error as? GatewayFailure)?.description
        }
    }

    private let handler: OperationHandler = { _, _, _ in (HTTPResponse(status: .ok), nil) }

    @Test func additionsAtKnownPlacesAreAccepted() {
        #expect(
            failure { gateway in
                gateway.use(Passing(), before: .cache)
                gateway.use(Passing(), before: "limits")
                gateway.observe { _ in }
                gateway.get("/hello", handler)
                gateway.post("/hello", handler)
            } == nil)
    }

    @Test(arguments: [CapabilityName.instructions, .limits, .ledger, .tracing, .prices, .cache, .record])
    func everyNamedPlaceExists(_ name: CapabilityName) { #expect(failure { $0.use(Passing(), before: name) } == nil) }

    @Test func unknownPlaceIsRefusedWithTheExistingOnes() {
        let text = failure { $0.use(Passing(), before: "cash") }
        #expect(
            text?.hasPrefix("no capability 'cash' to stand before; there are: overload, inspect, ollama") == true,
            "\(text ?? "")")
    }

    @Test func existingRouteIsRefused() {
        #expect(
            failure { $0.get("/v1/models", handler) } == "the route 'GET /v1/models' exists already: it is listModels")
        let twice = failure { gateway in
            gateway.get("/hello", handler)
            gateway.get("/hello", handler)
        }
        #expect(twice == "the route 'GET /hello' exists already: it is GET /hello")
        let otherName = failure { gateway in
            gateway.get("/hello/{name}", handler)
            gateway.get("/hello/{id}", handler)
        }
        #expect(otherName == "the route 'GET /hello/{id}' exists already: it is GET /hello/{name}")
    }

    @Test(arguments: ["/a}b{c}", "/{a}b", "/{}", "/{{a}}"])
    func braceOutsideAParameterIsRefused(_ path: String) {
        #expect(
            failure { $0.get(path, handler) }
                == "the route 'GET \(path)' has a brace inside a segment: write /{name}")
    }

    @Test func pathWithoutASlashIsRefused() {
        #expect(
            failure { $0.get("hello", handler) }
                == "the route 'GET hello' has a path that does not begin with '/'")
    }

    @Test func missingConfigurationIsNamed() async throws {
        let gateway = try Gateway(configuration: .file("/nowhere/headgate.yaml"))
        await #expect {
            try await gateway.run()
        } throws: { ($0 as? GatewayFailure)?.description.contains("/nowhere/headgate.yaml") == true }
    }
}
