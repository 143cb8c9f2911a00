import Foundation
import Testing

@testable import HeadgateClient

@Suite struct TypedAnswerTests {
    private struct City: Codable, Sendable, Equatable {
        let name: String
        let founded: Date?
    }

    private static let text = #"{\"name\":\"Rome\",\"founded\":\"1970-01-01T00:00:10Z\"}"#
    private static let rome = City(name: "Rome", founded: Date(timeIntervalSince1970: 10))

    @Test func sessionAnswersWithAValue() async throws {
        let transport = InMemoryTransport(.words([Self.text]), .words(["Fine."]))
        let session = ChatSession(client: try client(of: transport), model: "m")
        #expect(try await session.respond(to: "A city.", as: City.self) == Self.rome)
        _ = try await session.respond(to: "Thanks.")
        let schema = try JSONSchema(of: City.self)
        #expect(
            try transport.received[0].json()["response_format"]
                == ["type": "json_schema", "json_schema": ["name": "City", "strict": true, "schema": schema.schema]])
        #expect(try transport.received[1].json()["response_format"] == nil)
        #expect(session.transcript.count == 4)
    }

    @Test func listIsUnwrapped() async throws {
        let transport = InMemoryTransport(.words([#"{\"value\":[1,2]}"#]))
        let session = ChatSession(client: try client(of: transport), model: "m")
        #expect(try await session.respond(to: "p", as: [Int].self) == [1, 2])
    }

    @Test func markdownAroundTheValueIsStripped() async throws {
        let transport = InMemoryTransport(.words([#"\n```json\n"#, Self.text, #"\n```\n"#]))
        let session = ChatSession(client: try client(of: transport), model: "m")
        #expect(try await session.respond(to: "p", as: City.self) == Self.rome)
    }

    @Test func anthropicsFormHasTheSchemaToo() async throws {
        let answer = #"{"id":"i","content":[{"type":"text","text":"\#(Self.text)"}],"stop_reason":"end_turn"}"#
        let transport = InMemoryTransport(.json(answer))
        let request = ChatRequest(model: "m", messages: [.user("p")], route: .messages)
        #expect(try await client(of: transport).chat.complete(request, as: City.self) == Self.rome)
        let schema = try JSONSchema(of: City.self).schema
        #expect(
            try transport.received[0].json()["output_config"]
                == ["format": ["type": "json_schema", "schema": schema]])
    }

    @Test(arguments: [
        (#"{"message":{"content":"{\"name\":"},"finish_reason":"length"}"#, "answerCut"),
        (#"{"message":{"content":null,"refusal":"no"},"finish_reason":"stop"}"#, "refused"),
        (#"{"message":{"content":"{\"name\":7}"},"finish_reason":"stop"}"#, "decoding"),
        (#"{"message":{"content":"Rome."},"finish_reason":"stop"}"#, "decoding"),
    ])
    func invalidValueIsAnError(choice: String, kind: String) async throws {
        let client = try client(of: InMemoryTransport(.json(#"{"choices":[\#(choice)]}"#)))
        await #expect {
            _ = try await client.chat.complete(ChatRequest(model: "m", prompt: "p"), as: City.self)
        } throws: { error in
            (error as? HeadgateClientError)?.kind == kind
        }
    }

    @Test func valueIsFromTheLastRound() async throws {
        struct Look: Tool {
            struct Arguments: Decodable, Sendable {}
            let name = "look"
            let description = "d"
            let parameters: JSONValue = ["type": "object"]
            func call(arguments _: Arguments) async throws -> String { "Rome" }
        }
        let call =
            Events.delta("Let me see.")
            + Events.chunk(#"{"tool_calls":[{"index":0,"id":"t","function":{"name":"look","arguments":"{}"}}]}"#)
            + Events.stop("tool_calls") + Events.done
        let transport = InMemoryTransport(.stream(call), .words([Self.text]))
        let session = ChatSession(
            client: try client(of: transport), model: "m", tools: [Look()],
            options: ChatOptions(toolChoice: .required, allowsParallelToolCalls: false))
        #expect(try await session.respond(to: "p", as: City.self) == Self.rome)
        #expect(try transport.received[0].json()["tool_choice"] == "required")
        #expect(try transport.received[0].json()["parallel_tool_calls"] == false)
        #expect(try transport.received[1].json()["tool_choice"] == nil)
        #expect(try transport.received[1].json()["response_format"] != nil)
    }
}
