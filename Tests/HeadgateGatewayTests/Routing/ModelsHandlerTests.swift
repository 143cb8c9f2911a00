import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgatePrices
import HeadgatePrimitives
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct ModelsHandlerTests {
    private let running = InProcessGateway()

    private func model(_ name: String) -> String {
        #"{"id":"\#(name)","object":"model","created":1800000000,"owned_by":"up","speaks":["chat","responses"],"#
            + #""location":"cloud"}"#
    }

    @Test func listContainsExactNamesInOrder() async {
        let answer = await running.ask(.get, "/v1/models")
        #expect(answer.status == 200)
        #expect(answer.text == #"{"object":"list","data":[\#(model("plain")),\#(model("org/renamed"))]}"#)
        #expect(answer.headerFields[.contentType] == "application/json")
        #expect(answer.headerFields[.cacheControl] == "no-store")
    }

    @Test func keySeesOnlyItsModels() async {
        let answer = await running.ask(.get, "/v1/models", key: InProcessGateway.limitedKey)
        #expect(answer.text == #"{"object":"list","data":[\#(model("plain"))]}"#)
        #expect(await running.ask(.get, "/v1/models/plain", key: InProcessGateway.limitedKey).status == 200)
        let other = await running.ask(.get, "/v1/models/org/renamed", key: InProcessGateway.limitedKey)
        #expect(other.status == 404 && other.isError(code: "model_not_found"))
    }

    @Test(arguments: [
        ("plain", "plain"), ("org/renamed", "org/renamed"), ("org%2Frenamed", "org/renamed"), ("%70lain", "plain"),
        ("any-thing", "any-thing"), ("any-%C3%A9", "any-é"), ("any-%22", #"any-\""#),
    ])
    func modelIsFoundByItsPath(_ path: String, _ name: String) async {
        let answer = await running.ask(.get, "/v1/models/\(path)")
        #expect(answer.status == 200 && answer.text == model(name))
    }

    @Test(arguments: [
        "other", "lost", "plain/", "any-%", "any-%4", "any-%zz", "any-%+1", "any-%-1", "any-%00", "any-%FF", "any-%C3",
        "plain%20",
    ])
    func everyOtherPathIsUnknown(_ path: String) async {
        let answer = await running.ask(.get, "/v1/models/\(path)")
        #expect(answer.status == 404 && answer.isError(code: "model_not_found"))
    }

    @Test func pricesComeFromTheGatewaysList() async throws {
        let entry = PriceEntry(
            name: "plain", price: TokenPrice(input: 750_000, output: 4_500_000), source: .file("prices.yaml:1"))
        let running = InProcessGateway(prices: PriceList(own: [entry]))
        let answer = await running.ask(.get, "/v1/models/plain")
        #expect(answer.text.hasSuffix(#""pricing":{"prompt":"0.00000075","completion":"0.0000045"}}"#))
        #expect(await !running.ask(.get, "/v1/models/org/renamed").text.contains("pricing"))
    }

    @Test func pricesOfTheUpstreamsListTakePrecedence() async throws {
        let entry = PriceEntry(
            name: "m", price: TokenPrice(input: 750_000, output: 4_500_000), source: .file("prices.yaml:1"))
        let gateway = RoutedGateway([[.answer("A")]], prices: PriceList(own: [entry])) { _, upstreams in
            upstreams[0].discovers = true
        }
        let list = Array(#"{"data":[{"id":"m","pricing":{"prompt":"0.5"}}]}"#.utf8)
        let models = try list.withUnsafeBytes { try ModelList($0).models }
        gateway.catalogues[0].withLock { catalogue in
            guard let question = catalogue.ask(at: InProcessGateway.now) else { return }
            _ = catalogue.settle(question, ListedModels(models), at: InProcessGateway.now)
        }
        let text = await gateway.running.ask(.get, "/v1/models/m").text
        #expect(text.contains(#""pricing":{"prompt":"0.5"}"#) && text.split(separator: "pricing").count == 2, "\(text)")
    }

    @Test func unauthenticatedCallerGetsNoModels() {
        var table = ModelTable()
        table.add("plain", .plain(upstream))
        let discovery = ModelDiscovery([], models: table, realtime: { 0 })
        let handler = ModelsHandler(models: table, discovery: discovery, created: 0)
        #expect(throws: GatewayError.self) { try handler.retrieve("plain", for: .unknown) }
    }

    private var upstream: Upstream {
        Upstream(
            UpstreamDefinition(
                name: "up", baseURL: .init(endpoint: .tcp(host: "h", port: 1), pathPrefix: ""), credential: nil,
                transport: running.transport))
    }
}
