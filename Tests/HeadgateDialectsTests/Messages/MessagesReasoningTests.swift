import Testing

@testable import HeadgateDialects

@Suite("Reasoning requested in Messages")
struct MessagesReasoningTests {
    private func written(
        _ wish: ReasoningWish, model: String = "claude-sonnet-4-5", change: (inout ModelRequest) -> Void = { _ in }
    ) throws -> WrittenMessages {
        try WrittenMessages(
            ModelRequest {
                $0.reasoning = wish
                change(&$0)
            }, model: model, client: .responses)
    }

    @Test(
        "is an effort for adaptive models",
        arguments: [
            (ReasoningWish.Effort.minimal, "low"), (.low, "low"), (.medium, "medium"), (.high, "high"),
            (.xhigh, "xhigh"), (.max, "max"),
        ])
    func adaptive(effort: ReasoningWish.Effort, text: String) throws {
        let result = try written(ReasoningWish(effort: effort, isShown: true), model: "claude-opus-4-7")
        #expect(result.text("thinking") == #"{"type":"adaptive","display":"summarized"}"#)
        #expect(result.text("output_config") == #"{"effort":"\#(text)"}"#)
        #expect(result.dropped == [])
    }

    @Test("is never an effort unknown to the model")
    func extremeEffort() throws {
        let result = try written(ReasoningWish(effort: .xhigh), model: "claude-opus-4-6")
        #expect(result.text("output_config") == #"{"effort":"high"}"#)
        let budget = try written(ReasoningWish(budget: 5000, isShown: false), model: "claude-opus-4-6")
        #expect(budget.text("output_config") == #"{"effort":"high"}"#)
        #expect(budget.text("thinking") == #"{"type":"adaptive","display":"omitted"}"#)
        let none = try written(ReasoningWish(), model: "claude-opus-4-6")
        #expect(none.text("thinking") == #"{"type":"adaptive"}"#)
        #expect(none.body["output_config"] == nil)
    }

    @Test(
        "is a budget for older models and unknown ones",
        arguments: [
            (ReasoningWish(effort: .minimal), 1024), (ReasoningWish(effort: .low), 1024),
            (ReasoningWish(effort: .medium), 2048), (ReasoningWish(effort: .high), 4096),
            (ReasoningWish(effort: .xhigh), 8192), (ReasoningWish(effort: .max), 16384),
            (ReasoningWish(), 2048), (ReasoningWish(budget: 3000), 3000), (ReasoningWish(budget: 10), 1024),
        ])
    func budget(wish: ReasoningWish, tokens: Int) throws {
        for model in ["claude-3-7-sonnet-latest", "smart"] {
            let result = try written(wish, model: model)
            #expect(result.text("thinking") == #"{"type":"enabled","budget_tokens":\#(tokens)}"#)
            #expect(result.text("max_tokens") == "\(8192 + tokens)")
            #expect(result.dropped == [])
        }
    }

    @Test("stays below the client's limit, and is omitted if nothing remains")
    func limit() throws {
        let capped = try written(ReasoningWish(effort: .high)) { $0.maximumTokens = 2000 }
        #expect(capped.text("thinking") == #"{"type":"enabled","budget_tokens":1999}"#)
        let small = try written(ReasoningWish(effort: .high)) { $0.maximumTokens = 1024 }
        #expect(small.body["thinking"] == nil)
        #expect(small.dropped == ["reasoning.effort"])
    }

    @Test("is omitted if it is not requested, or not available")
    func none() throws {
        #expect(try written(ReasoningWish(effort: ReasoningWish.Effort.none)).dropped == [])
        let always = try written(ReasoningWish(effort: ReasoningWish.Effort.none), model: "claude-opus-5-5")
        #expect(always.body["thinking"] == nil)
        #expect(always.dropped == ["reasoning.effort"])
        let old = try written(ReasoningWish(effort: .high, isShown: true), model: "claude-3-5-sonnet-latest")
        #expect(old.body["thinking"] == nil)
        #expect(old.dropped == ["reasoning.effort", "reasoning.summary"])
    }

    @Test("excludes other sampling and forced calls")
    func exclusions() throws {
        let result = try written(ReasoningWish(effort: .low)) {
            $0.settings = [.temperature: .number("0.2"), .topP: .number("0.5"), .topK: 1]
            $0.tools = [.function(.init(name: "f"))]
            $0.toolChoice = .required
        }
        #expect(result.body["temperature"] == nil && result.body["top_p"] == nil && result.body["top_k"] == nil)
        #expect(result.text("tool_choice") == #"{"type":"auto"}"#)
        #expect(result.dropped == ["tool_choice", "temperature", "top_p", "topK"])
        let usual = try written(ReasoningWish(effort: .low)) {
            $0.settings = [.temperature: .number("1.0"), .topP: .number("0.95")]
        }
        #expect(usual.body["temperature"] == nil)
        #expect(usual.text("top_p") == "0.95")
        #expect(usual.dropped == [])
    }

    @Test("is omitted if a budget needs lost thinking of the last calls")
    func lostThinking() throws {
        func history(_ first: Content...) -> [Message] {
            [
                Message(.user, "Hi"), Message(.assistant, (first + [.call("1")]).map { Part($0) }),
                Message(.tool, .result("1", "r")),
            ]
        }
        let wish = ReasoningWish(effort: .low)
        let lost = try written(wish) { $0.messages = history(.text("a")) }
        #expect(lost.body["thinking"] == nil)
        #expect(lost.dropped == ["reasoning.effort"])
        let kept = try written(wish) {
            $0.messages = history(.reasoning(Reasoning("t", seal: ReasoningSeal(.messages, "s"))))
        }
        #expect(kept.body["thinking"] != nil)
        let adaptive = try written(wish, model: "claude-opus-4-6") { $0.messages = history(.text("a")) }
        #expect(adaptive.body["thinking"] != nil)
    }
}
