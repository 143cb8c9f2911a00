import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// The lists of models in both dialects.
@Suite struct ModelsDialectTests {
    private let gateway = DialectGateway()
    private let anthropic: HTTPFields = [.anthropicVersion: "2023-06-01"]

    private func model(_ name: String) -> String {
        #"{"type":"model","id":"\#(name)","display_name":"\#(name)","created_at":"2027-01-15T08:00:00.000Z","lifecycle":"active"}"#
    }

    @Test(arguments: ["/v1/models", "/models", "/v1/models?limit=1000&after_id=x"])
    func anthropicListHasEveryNameOnOnePage(_ path: String) async {
        let names = ["plain", "org/renamed", "two", "claude", "org/claude", "deployed", "dated"]
        let answer = await gateway.running.ask(.get, path, headerFields: anthropic)
        #expect(answer.status == 200)
        #expect(
            answer.text
                == #"{"data":[\#(names.map(model).joined(separator: ","))],"has_more":false,"first_id":"plain","last_id":"dated"}"#
        )
        #expect(answer.headerFields[.requestID] == answer.headerFields[.xRequestID])
        #expect(answer.headerFields[.cacheControl] == "no-store")
    }

    @Test func listContainsOnlyTheKeysModels() async {
        let answer = await gateway.running.ask(
            .get, "/v1/models", key: InProcessGateway.limitedKey, headerFields: anthropic)
        #expect(
            answer.text == #"{"data":[\#(model("plain"))],"has_more":false,"first_id":"plain","last_id":"plain"}"#)
    }

    @Test func emptyListsAreLists() async {
        let transport = PlannedTransport(.json("{}"))
        let running = InProcessGateway(transport: transport, upstreams: [], models: [], keys: InProcessGateway.keys)
        #expect(
            await running.ask(.get, "/v1/models", headerFields: anthropic).text
                == #"{"data":[],"has_more":false,"first_id":null,"last_id":null}"#)
        #expect(await running.ask(.get, "/v1/models").text == #"{"object":"list","data":[]}"#)
    }

    @Test(arguments: ["org/claude", "org%2Fclaude", "org%2fclaude"])
    func modelIsFoundByItsPathInBothForms(_ path: String) async {
        for prefix in ["/v1/models/", "/models/"] {
            let one = await gateway.running.ask(.get, prefix + path, headerFields: anthropic)
            #expect(one.status == 200 && one.text == model("org/claude"))
            let other = await gateway.running.ask(.get, prefix + path)
            #expect(
                other.text
                    == #"{"id":"org/claude","object":"model","created":1800000000,"owned_by":"claude","#
                    + #""speaks":["messages"],"location":"cloud"}"#
            )
            #expect(await gateway.running.ask(.head, prefix + path).status == 200)
        }
    }

    @Test func namesAreEscaped() async {
        let answer = await gateway.running.ask(.get, "/v1/models/dated-%22%0A", headerFields: anthropic)
        #expect(answer.text == model(#"dated-\"\n"#))
    }

    @Test func unknownModelIsAnErrorInTheFormOfTheCaller() async {
        let answer = await gateway.running.ask(.get, "/v1/models/x/y", headerFields: anthropic)
        #expect(answer.status == 404 && answer.text.contains(#""type":"not_found_error""#))
        #expect(await gateway.running.ask(.get, "/v1/models/x/y").isError(code: "model_not_found"))
    }
}
