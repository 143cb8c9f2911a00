import HTTPTypes
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Forms of paths, and offers of WebSockets, on the whole table of routes.
@Suite struct RouteFormsTests {
    private let running = InProcessGateway(
        transport: PlannedTransport(.json("{}")), upstreams: [], models: [], keys: InProcessGateway.keys)

    private func status(_ path: String, _ method: HTTPRequest.Method = .get, _ fields: HTTPFields = [:]) async -> Int {
        await running.ask(method, path, key: InProcessGateway.clientKey, headerFields: fields).status
    }

    @Test(arguments: RelayRoute.all) func routesOfClientsAreFoundHoweverTheirPathsAreJoined(_ route: RelayRoute) async {
        let gateway = DialectGateway()
        let forms = ["//v1", "/v1/v1", "/openai/v1", "/api/v1", "/v1/"]
        for path in forms.map({ $0 + route.path }) + ["/v1" + route.path + "/"] {
            let before = gateway.sent.count
            _ = await gateway.post(path, route.body)
            #expect(gateway.sent.count == before + 1, "\(path)")
        }
        // All forms behave alike.
        for form in forms { #expect(await gateway.post(form + route.path, route.body, key: nil).status == 401) }
        #expect(await status("/v1/v1" + route.path) == 405)
    }

    @Test(arguments: ["/usage", "/admin/keys", "/status", "/status/data", "/metrics", "/readyz", "/livez", "/docs"])
    func routesOfAdminsAndPagesHaveOneForm(_ path: String) async {
        for form in ["/" + path, "/v1/v1" + path, "/openai/v1" + path, path + "/"] {
            #expect(await status(form) == 404, "\(form)")
        }
    }

    @Test(arguments: [
        "/v1/responses", "/responses", "/v1/chat/completions", "/v1/models", "/", "/nowhere", "/v1/v1/messages",
    ])
    func webSocketIsRefusedInFavourOfHTTP(_ path: String) async {
        let offer: HTTPFields = [.upgrade: "WebSocket", .connection: "Upgrade"]
        let answer = await running.ask(.get, path, key: InProcessGateway.clientKey, headerFields: offer)
        #expect(answer.status == 426 && answer.text.contains("websocket_not_supported"))
        #expect(answer.headerFields[.upgrade] == "HTTP/1.1")
    }

    @Test func otherOffersAreIgnored() async {
        #expect(await status("/v1/models", .get, [.upgrade: "h2c", .connection: "Upgrade"]) == 200)
        #expect(await status("/v1/responses") == 405)
    }
}
