import Testing

@testable import HeadgateDialects

@Suite("A request written for Messages")
struct MessagesRequestWriterTests {
    @Test("always has a limit, and the upstream's name of the model")
    func limits() throws {
        let usual = try WrittenMessages(ModelRequest.greeting, model: "claude-x").body
        #expect(
            usual.text
                == #"{"model":"claude-x","max_tokens":8192,"messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]}"#
        )
        let limited = try WrittenMessages(
            ModelRequest {
                $0.maximumTokens = 5
                $0.isStream = true
            })
        #expect(limited.text("max_tokens") == "5")
        #expect(limited.text("stream") == "true")
        var losses = Losses(client: .chat)
        let same = try MessagesRequestWriter.write(ModelRequest.greeting, for: TargetTraits(), &losses)
        #expect(same.body["model"] == "m")
    }

    @Test("has the supported settings, and names the others")
    func settings() throws {
        let request = ModelRequest {
            $0.settings = [
                .temperature: .number("0.50"), .topK: 5, .seed: 1, .logitBias: .object([:]), .speed: "fast",
                .serviceTier: "default", .user: "u-1", .store: true, .promptCacheKey: "k", .choices: 1,
                .verbosity: "low",
            ]
        }
        let written = try WrittenMessages(request)
        #expect(written.text("temperature") == "0.50")
        #expect(written.text("top_k") == "5")
        #expect(written.text("speed") == #""fast""#)
        #expect(written.text("service_tier") == #""standard_only""#)
        #expect(written.text("metadata") == #"{"user_id":"u-1"}"#)
        #expect(written.dropped == ["seed", "logit_bias", "store", "verbosity", "prompt_cache_key"])
        #expect(throws: TranslationError.self) { try WrittenMessages(ModelRequest { $0.settings[.choices] = 2 }) }
    }

    @Test(
        "clamps the temperature",
        arguments: [("1.5", "1", ["temperature"]), ("-1", "0", ["temperature"]), ("1", "1", [])])
    func temperature(value: String, written: String, dropped: [String]) throws {
        let result = try WrittenMessages(ModelRequest { $0.settings[.temperature] = .number(value) })
        #expect(result.text("temperature") == written)
        #expect(result.dropped == dropped)
    }

    @Test("has only the sampling that the model accepts")
    func sampling() throws {
        let request = ModelRequest { $0.settings = [.temperature: .number("0.5"), .topP: .number("0.9"), .topK: 3] }
        let old = try WrittenMessages(request, model: "claude-3-5-sonnet-20241022")
        #expect(old.text("temperature") + old.text("top_p") + old.text("top_k") == "0.50.93")
        let one = try WrittenMessages(request, model: "claude-opus-4-1")
        #expect(one.body["top_p"] == nil)
        #expect(one.dropped == ["top_p"])
        let new = try WrittenMessages(request, model: "claude-opus-4-7")
        #expect(new.body["temperature"] == nil && new.body["top_p"] == nil && new.body["top_k"] == nil)
        #expect(new.dropped == ["temperature", "top_p", "topK"])
        let usual = ModelRequest { $0.settings = [.temperature: 1, .topP: 1] }
        #expect(try WrittenMessages(usual, model: "claude-opus-4-7").dropped == [])
    }

    @Test(
        "omits user ids that identify a person",
        arguments: [
            ("a@b.c", false), ("+49 (30) 123-456", false), ("user 7", true), ("", false), ("123456", true),
            ("123.45.67", false), ("1234567a", true), (String(repeating: "x", count: 256), true),
            (String(repeating: "x", count: 257), false),
        ])
    func users(id: String, isTaken: Bool) throws {
        let written = try WrittenMessages(ModelRequest { $0.settings[.user] = .string(id) })
        #expect((written.body["metadata"] != nil) == isTaken)
        #expect(written.dropped == (isTaken ? [] : ["user"]))
    }

    @Test("uses the safety identifier as the user")
    func safetyIdentifier() throws {
        let written = try WrittenMessages(ModelRequest { $0.settings = [.user: "u", .safetyIdentifier: "s"] })
        #expect(written.text("metadata") == #"{"user_id":"s"}"#)
        #expect(written.dropped == ["user"])
    }

    @Test("omits other service tiers")
    func serviceTier() throws {
        #expect(try WrittenMessages(ModelRequest { $0.settings[.serviceTier] = "flex" }).dropped == ["service_tier"])
        let automatic = try WrittenMessages(ModelRequest { $0.settings[.serviceTier] = "auto" })
        #expect(automatic.text("service_tier") == #""auto""#)
    }

    @Test("omits stop sequences of white space")
    func stopSequences() throws {
        let written = try WrittenMessages(ModelRequest { $0.stopSequences = ["END", "\n\n", ""] })
        #expect(written.text("stop_sequences") == #"["END"]"#)
        #expect(written.dropped == ["stop"])
        #expect(try WrittenMessages(ModelRequest { $0.stopSequences = ["\n"] }).body["stop_sequences"] == nil)
    }

    @Test("holds the response to a schema, closed as the provider requires")
    func schema() throws {
        let schema: JSONValue = [
            "type": "object",
            "properties": [
                "default": ["type": "array", "items": ["type": "object"]], "a": ["enum": ["additionalProperties"]],
            ],
        ]
        let request = ModelRequest {
            $0.format = .schema(schema, name: "N", description: "D", isStrict: nil)
        }
        let written = try WrittenMessages(request)
        #expect(
            written.text("output_config")
                == #"{"format":{"type":"json_schema","schema":{"type":"object","properties":{"default":{"type":"array","#
                + #""items":{"type":"object","additionalProperties":false}},"a":{"enum":["additionalProperties"]}},"#
                + #""title":"N","description":"D","additionalProperties":false}}}"#)
        #expect(written.dropped.isEmpty)
        let old = try WrittenMessages(request, model: "claude-3-5-haiku-latest")
        #expect(old.body["output_config"] == nil)
        #expect(old.text("system").contains("conforms to this JSON Schema"))
        #expect(old.dropped == ["response_format"])
    }

    @Test("requests a JSON object by an instruction")
    func json() throws {
        let written = try WrittenMessages(ModelRequest { $0.format = .json })
        #expect(written.text("system").contains("one JSON object"))
        #expect(written.dropped == [])
        #expect(try WrittenMessages(ModelRequest { $0.format = .text }).body["system"] == nil)
    }

    @Test("keeps the last four cache markers")
    func cacheMarkers() throws {
        let marker = CacheMarker(timeToLive: "1h")
        let parts = (0..<3).map { Part(.text("\($0)"), cacheMarker: CacheMarker(timeToLive: $0 == 0 ? "24h" : nil)) }
        let request = ModelRequest([Message(.system, [Part(.text("S"), cacheMarker: marker)]), Message(.user, parts)]) {
            $0.tools = [.function(.init(name: "f", cacheMarker: marker))]
        }
        let written = try WrittenMessages(request, client: .messages)
        #expect(!written.text("tools").contains("cache_control"))
        #expect(written.text("system").hasSuffix(#""text":"S","cache_control":{"type":"ephemeral","ttl":"1h"}}]"#))
        #expect(written.text("messages").matches(of: #/"cache_control":{"type":"ephemeral"}/#).count == 3)
        #expect(written.dropped == ["cache_control"])
    }
}
