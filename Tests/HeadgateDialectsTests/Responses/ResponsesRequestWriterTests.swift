import Testing

@testable import HeadgateDialects

/// Returns a request as a provider of the Responses format receives it.
func writeResponses(
    _ client: ClientFormat = .chat, _ change: (inout ModelRequest) -> Void
) throws -> (body: JSONValue, toolNames: [String: String], dropped: [String]) {
    var request = ModelRequest()
    request.model = "smart"
    request.messages = [Message(.user, ["q"])]
    change(&request)
    var losses = Losses(client: client)
    let written = try ResponsesRequestWriter.write(request, for: TargetTraits(model: "gpt"), &losses)
    return (.object(written.body), written.toolNames, losses.dropped)
}

@Suite("The writer of Responses requests")
struct ResponsesRequestWriterTests {
    @Test("writes a prompt, and requests no storage")
    func plain() throws {
        #expect(
            try writeResponses { _ in }.body == [
                "model": "gpt",
                "input": [["type": "message", "role": "user", "content": [["type": "input_text", "text": "q"]]]],
                "store": false,
            ])
    }

    @Test("writes settings, and names the unsupported ones")
    func settings() throws {
        let (body, _, dropped) = try writeResponses { request in
            request.isStream = true
            request.maximumTokens = 3
            request.stopSequences = ["x"]
            request.settings = [
                .temperature: .number("0.5"), .topK: 4, .seed: 1, .metadata: ["a": "b"], .verbosity: "low",
                .store: true,
                .topLogprobs: 2, .serviceTier: "standard_only", .user: .string(String(repeating: "u", count: 65)),
            ]
            request.format = .schema(["type": "object"], name: "a b", description: "d", isStrict: true)
        }
        #expect(body["stream"] == true)
        #expect(body["store"] == false)
        #expect(body["max_output_tokens"] == 16)
        #expect(body["temperature"] == .number("0.5"))
        #expect(body["metadata"] == ["a": "b"])
        #expect(body["service_tier"] == "default")
        #expect(
            body["text"] == [
                "format": [
                    "type": "json_schema", "name": "a_b", "description": "d", "schema": ["type": "object"],
                    "strict": true,
                ],
                "verbosity": "low",
            ])
        #expect(Set(dropped) == ["topK", "seed", "top_logprobs", "user", "store", "stop"])
        #expect(body["user"] == nil)
    }

    @Test("keeps the longest name of a user that providers take")
    func longestUser() throws {
        let name = JSONValue.string(String(repeating: "u", count: 64))
        let (body, _, dropped) = try writeResponses { $0.settings = [.user: name] }
        #expect(body["user"] == name && dropped.isEmpty)
    }

    @Test(
        "writes reasoning parameters",
        arguments: [
            (ReasoningWish(effort: .max), #"{"effort":"max"}"#, true),
            (ReasoningWish(budget: 5000), #"{"effort":"high"}"#, true),
            (ReasoningWish(budget: 2048), #"{"effort":"medium"}"#, true),
            (ReasoningWish(budget: 1024, isShown: true), #"{"effort":"low","summary":"auto"}"#, true),
            (ReasoningWish(budget: 1), #"{"effort":"minimal"}"#, true),
            (ReasoningWish(effort: ReasoningWish.Effort.none), #"{"effort":"none"}"#, false),
            (ReasoningWish(isShown: false), nil, false),
        ] as [(ReasoningWish, String?, Bool)])
    func reasoning(wish: ReasoningWish, written: String?, includesSeal: Bool) throws {
        let body = try writeResponses { $0.reasoning = wish }.body
        #expect(body["reasoning"]?.text == written)
        #expect(body["include"] == (includesSeal ? .some(["reasoning.encrypted_content"]) : nil))
    }

    @Test("writes tools as strict only on request, under names that the provider accepts")
    func tools() throws {
        let long = String(repeating: "n", count: 70)
        let (body, names, dropped) = try writeResponses { request in
            request.tools = [
                .function(.init(name: "a.b", description: "d", parameters: ["type": "object"], isStrict: true)),
                .function(.init(name: long, cacheMarker: CacheMarker())),
                .custom(name: "p", description: nil, format: ["type": "grammar", "syntax": "lark", "definition": "x"]),
            ]
            request.toolChoice = .allowed(["p", "a.b"], isRequired: true)
            request.allowsParallelCalls = false
        }
        let short = String(repeating: "n", count: 64)
        #expect(
            body["tools"] == [
                [
                    "type": "function", "name": "a_b", "description": "d", "parameters": ["type": "object"],
                    "strict": true,
                ],
                [
                    "type": "function", "name": .string(short), "parameters": ["type": "object", "properties": [:]],
                    "strict": false,
                ],
                ["type": "custom", "name": "p", "format": ["type": "grammar", "syntax": "lark", "definition": "x"]],
            ])
        #expect(
            body["tool_choice"] == [
                "type": "allowed_tools", "mode": "required",
                "tools": [["type": "custom", "name": "p"], ["type": "function", "name": "a_b"]],
            ])
        #expect(body["parallel_tool_calls"] == false)
        #expect(names == ["a_b": "a.b", short: long])
        #expect(dropped == ["messages[].content[].prompt_cache_breakpoint"])
    }

    @Test("refuses several choices, and files at another provider")
    func refusals() {
        #expect(throws: TranslationError.self) { try writeResponses { $0.settings[.choices] = 2 } }
        for content in [Content.image(.file(id: "f"), detail: nil), .document(.file(id: "f"), name: nil)] {
            #expect(throws: TranslationError.self) {
                try writeResponses { $0.messages = [Message(.user, [Part(content)])] }
            }
        }
    }
}
