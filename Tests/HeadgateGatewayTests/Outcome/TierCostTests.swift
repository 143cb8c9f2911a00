import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgatePrices
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Costs of responses that were processed in another tier, or have parts with separate prices.
@Suite struct TierCostTests {
    private typealias Plan = PlannedTransport.Plan

    private static func dollars(_ amount: Int) -> Int { amount * 1_000_000 }

    private static let price = TokenPrice(
        input: dollars(10), cachedInput: dollars(1), cacheWrite: dollars(20), output: dollars(100),
        longestPrompt: 1000,
        special: SpecialPrices(
            longWrite: dollars(40), audioInput: dollars(50), imageOutput: dollars(300),
            long: TokenPrice(input: dollars(20), output: dollars(200)),
            tiers: [
                .flex: TokenPrice(input: dollars(5), output: dollars(50)),
                .priority: TokenPrice(input: dollars(20), output: dollars(200)),
                .fast: TokenPrice(input: dollars(30), output: dollars(300)),
            ]))

    private static let prices = PriceList(own: [
        PriceEntry(name: "plain", price: price, source: .file("prices.yaml:1")),
        PriceEntry(name: "claude", price: price, source: .file("prices.yaml:2")),
        PriceEntry(
            name: "adviser", price: TokenPrice(input: dollars(1), output: dollars(1)), source: .file("prices.yaml:3")),
    ])

    private func cost(
        _ plan: Plan, _ path: String, _ body: String, stream: Bool = false, anthropic: Bool = false
    ) async throws -> String? {
        let transport = PlannedTransport(plan)
        let upstream = UpstreamDefinition(
            name: "up", kind: anthropic ? .anthropic : .openai,
            baseURL: BaseURL(endpoint: .tls(host: "h", port: 443), pathPrefix: "/v1"), credential: nil,
            transport: transport)
        let running = InProcessGateway(
            transport: transport, upstreams: [upstream],
            models: ["plain", "claude"].map { ModelConfiguration(name: $0, upstream: "up") }, keys: [],
            prices: Self.prices)
        let answer = await running.ask(.post, path, key: nil, body: body)
        #expect(answer.status == 200, "\(answer.text)")
        return try running.log.members()["cost_usd"]
    }

    private func chat(_ usage: String, _ more: String = "", stream: Bool = false) async throws -> String? {
        let finish = #""choices":[{"index":0,"delta":{},"finish_reason":"stop"}]"#
        let plan: Plan =
            stream
            ? Plan(
                headerFields: [.contentType: "text/event-stream"],
                chunks: [
                    Plan.role, Plan.content("A"), "data: {\(finish)\(more)}\n\n",
                    "data: {\"choices\":[],\"usage\":\(usage)\(more)}\n\n", Plan.done,
                ])
            : .json(#"{\#(finish),"usage":\#(usage)\#(more)}"#)
        return try await cost(plan, "/v1/chat/completions", #"{"model":"plain","stream":\#(stream),"messages":[]}"#)
    }

    private static let used = #"{"prompt_tokens":11,"completion_tokens":4}"#

    @Test(arguments: [false, true]) func tierHasASeparatePrice(_ stream: Bool) async throws {
        #expect(try await chat(Self.used, stream: stream) == "0.00051")
        #expect(try await chat(Self.used, #","service_tier":"default""#, stream: stream) == "0.00051")
        #expect(try await chat(Self.used, #","service_tier":"auto""#, stream: stream) == "0.00051")
        #expect(try await chat(Self.used, #","service_tier":null"#, stream: stream) == "0.00051")
        #expect(try await chat(Self.used, #","service_tier":"flex""#, stream: stream) == "0.000255")
        #expect(try await chat(Self.used, #","service_tier":"priority""#, stream: stream) == "0.00102")
    }

    @Test(arguments: [false, true]) func tierWithoutAPriceIsUnknown(_ stream: Bool) async throws {
        for tier in ["ultrafast", "batch", "scale", "a\\u0062c"] {
            #expect(try await chat(Self.used, #","service_tier":"\#(tier)""#, stream: stream) == "null")
        }
    }

    @Test func responsesNameTheirTierInTheResponse() async throws {
        let usage = #""usage":{"input_tokens":11,"output_tokens":4}"#
        let whole = #"{"id":"resp_1","object":"response","status":"completed","service_tier":"flex",\#(usage)}"#
        let body = #"{"model":"plain","input":"hi""#
        #expect(try await cost(.json(whole), "/v1/responses", body + "}") == "0.000255")
        let events = ["created", "completed"].map { type in
            let response = type == "created" ? #"{"id":"resp_1","service_tier":"auto"}"# : whole
            return "event: response.\(type)\ndata: {\"type\":\"response.\(type)\",\"response\":\(response)}\n\n"
        }
        let stream = Plan(headerFields: [.contentType: "text/event-stream"], chunks: events)
        #expect(try await cost(stream, "/v1/responses", body + #","stream":true}"#) == "0.000255")
    }

    /// Returns a message whose usage is 1 input token, 10 read from the cache, 5 written to it, and 4 output tokens.
    private func message(_ more: String) -> String {
        #"{"id":"msg_1","type":"message","role":"assistant","model":"m","stop_reason":"end_turn","content":[{"type":"text","text":"A"}],"usage":{"input_tokens":1,"cache_read_input_tokens":10,"cache_creation_input_tokens":5,"output_tokens":4\#(more)}}"#
    }

    @Test(arguments: [
        ("", "0.00052"), (#","service_tier":"standard","speed":"standard","iterations":null"#, "0.00052"),
        // 2 of the 5 written tokens cost twice as much.
        (#","cache_creation":{"ephemeral_1h_input_tokens":2,"ephemeral_5m_input_tokens":3}"#, "0.00056"),
        (#","cache_creation":{"ephemeral_1h_input_tokens":6}"#, "null"),
        (#","speed":"fast""#, "0.00168"), (#","service_tier":"priority","speed":"fast""#, "null"),
        (#","service_tier":"priority""#, "0.00112"), (#","service_tier":"batch""#, "null"),
    ]) func messagesHaveTheirTierInTheUsage(_ more: String, _ expected: String) async throws {
        let plan = Plan.json(message(more))
        let body = #"{"model":"claude","max_tokens":9,"messages":[]}"#
        #expect(try await cost(plan, "/v1/messages", body, anthropic: true) == expected)
        let question = #"[{"role":"user","content":"hi"}]"#
        let chat = #"{"model":"claude","messages":\#(question)}"#
        #expect(try await cost(plan, "/v1/chat/completions", chat, anthropic: true) == expected)
    }

    @Test(arguments: ["/v1/messages", "/v1/chat/completions"]) func streamedMessageHasTheTierOfItsStart(
        _ path: String
    ) async throws {
        let start =
            #"{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":11,"output_tokens":1,"service_tier":"standard","speed":"fast"}}}"#
        let events = [
            start, #"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
            #"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"A"}}"#,
            #"{"type":"content_block_stop","index":0}"#,
            #"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":4}}"#,
            #"{"type":"message_stop"}"#,
        ]
        let plan = Plan(
            headerFields: [.contentType: "text/event-stream"], chunks: events.map { "data: \($0)\n\n" })
        let body = #"{"model":"claude","stream":true,"max_tokens":9,"messages":[{"role":"user","content":"hi"}]}"#
        #expect(try await cost(plan, path, body, anthropic: true) == "0.00153")
    }

    @Test(arguments: [
        (#"{"type":"message","input_tokens":1,"output_tokens":4}"#, "0.00041"),
        (
            #"{"type":"compaction","input_tokens":100,"output_tokens":1},{"type":"message","input_tokens":1,"output_tokens":4}"#,
            "0.00151"
        ),
        (
            #"{"type":"advisor_message","model":"adviser","input_tokens":10,"cache_read_input_tokens":5,"output_tokens":5},{"type":"message","input_tokens":1,"output_tokens":4}"#,
            "0.00043"
        ),
        (#"{"type":"advisor_message","model":"unheard-of","input_tokens":10,"output_tokens":5}"#, "null"),
        (#"{"type":"message","model":"claude","input_tokens":1,"output_tokens":4}"#, "0.00041"),
        (#"{"type":"message","output_tokens":4}"#, "null"), ("7", "null"),
    ]) func everyCallOfAResponseIsBilled(_ iterations: String, _ expected: String) async throws {
        let plan = Plan.json(message(#","iterations":[\#(iterations)]"#))
        let body = #"{"model":"claude","max_tokens":9,"messages":[]}"#
        #expect(try await cost(plan, "/v1/messages", body, anthropic: true) == expected)
    }

    @Test(arguments: [
        (#""prompt_tokens_details":{"audio_tokens":0,"image_tokens":0}"#, "0.00051"),
        // 5 of the 11 tokens cost 40 millionths of a dollar more each.
        (#""prompt_tokens_details":{"audio_tokens":5}"#, "0.00071"),
        // Images in a prompt cost as much as text.
        (#""prompt_tokens_details":{"image_tokens":5}"#, "0.00051"),
        (#""completion_tokens_details":{"image_tokens":1}"#, "0.00071"),
        (#""completion_tokens_details":{"audio_tokens":1}"#, "null"),
        (#""prompt_tokens_details":{"audio_tokens":12}"#, "null"),
        (
            #""prompt_tokens_details":{"cache_write_tokens":4,"cache_write_tokens_details":{"ttl_12h_tokens":1,"ttl_30m_tokens":3}}"#,
            "0.00057"
        ),
    ]) func audioImagesAndLongWritesHaveSeparatePrices(_ details: String, _ expected: String) async throws {
        #expect(try await chat(#"{"prompt_tokens":11,"completion_tokens":4,\#(details)}"#) == expected)
    }

    @Test func longerPromptsHaveASeparatePrice() async throws {
        let usage = #"{"prompt_tokens":1001,"completion_tokens":4}"#
        #expect(try await chat(usage) == "0.02082")
        #expect(try await chat(usage, #","service_tier":"flex""#) == "0.005205")
    }
}
