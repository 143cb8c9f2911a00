import HTTPTypes
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct AzureTests {
    private typealias Plan = PlannedTransport.Plan

    private func ask(_ gateway: DialectGateway, _ model: String, _ route: RelayRoute) async -> InProcessGateway.Response
    {
        await gateway.post("/v1" + route.path, #"{"model":"\#(model)"\#(route.rest)}"#)
    }

    @Test(arguments: RelayRoute.all.filter { !$0.isAnthropic }) func v1SurfaceHasTheDeploymentInItsBody(
        _ route: RelayRoute
    ) async throws {
        let gateway = DialectGateway(.json("{}", headerFields: [.contentType: "audio/mpeg"]))
        #expect(await ask(gateway, "deployed", route).status == 200)
        let sent = try #require(gateway.azure.requests.first)
        #expect(sent.head.path == "/openai/v1" + route.path)
        #expect(sent.body == #"{"model":"inner"\#(route.rest)}"#)
        #expect(sent.head.headerFields[.azureAPIKey] == InProcessGateway.upstreamKey)
        #expect(sent.head.headerFields[.authorization] == nil && sent.head.headerFields[.xAPIKey] == nil)
        #expect(gateway.sent.count == 1)
    }

    @Test(arguments: RelayRoute.all.filter { !$0.isAnthropic }) func datedSurfaceHasItInThePathOfItsModels(
        _ route: RelayRoute
    ) async throws {
        let gateway = DialectGateway(.json("{}", headerFields: [.contentType: "audio/mpeg"]))
        #expect(await ask(gateway, "dated", route).status == 200)
        #expect(await ask(gateway, "dated-a%2e?#\u{e9}", route).status == 200)
        let isOfModel = !["/moderations", "/rerank"].contains(route.path) && !route.path.hasPrefix("/responses")
        let places =
            isOfModel ? ["/deployments/my%20deploy%2Fment", "/deployments/dated-a%252e%3F%23%C3%A9"] : ["", ""]
        #expect(
            gateway.azure.requests.map(\.head.path)
                == places.map { "/openai\($0)\(route.path)?api-version=2024-10-21" })
        #expect(gateway.azure.requests.first?.head.headerFields[.azureAPIKey] == InProcessGateway.upstreamKey)
    }

    @Test func oddChunksOfItsStreamsPass() async {
        let filter =
            #"{"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[{"prompt_index":0,"content_filter_results":{}}]}"#
        let offsets =
            #"{"id":"","model":"inner","choices":[{"index":0,"finish_reason":null,"content_filter_offsets":{"check_offset":1},"content_filter_results":{}}]}"#
        let stream = Chunk.events(filter, Chunk.role, Chunk.content("a"), offsets, Chunk.stop)
        let gateway = DialectGateway(Plan(chunks: [stream + Chunk.events(Chunk.usage) + Chunk.done]))
        let answer = await gateway.post(
            "/v1/chat/completions", #"{"model":"deployed","stream":true,"messages":[]}"#)
        #expect(answer.status == 200)
        let renamed = stream.replacing(#""model":"""#, with: #""model":"deployed""#)
            .replacing(#""model":"inner""#, with: #""model":"deployed""#)
        #expect(answer.text == renamed + Chunk.done)
    }

    @Test func filteredPromptKeepsItsCode() async {
        let body =
            #"{"error":{"message":"filtered","type":null,"param":"prompt","code":"content_filter","status":400,"innererror":{"code":"ResponsibleAIPolicyViolation"}}}"#
        let answer = await ask(DialectGateway(.json(body, status: 400)), "dated", RelayRoute.all[0])
        #expect(answer.status == 400 && answer.isError(code: "content_filter"))
        #expect(answer.text.contains(#""param":"prompt""#))
    }
}
