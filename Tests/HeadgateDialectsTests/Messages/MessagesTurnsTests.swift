import Testing

@testable import HeadgateDialects

@Suite("Turns written for Messages")
struct MessagesTurnsTests {
    private func turns(_ messages: [Message], model: String = "claude-sonnet-4-5") throws -> String {
        try WrittenMessages(ModelRequest(messages), model: model).text("messages")
    }

    private let hi = #"{"role":"user","content":[{"type":"text","text":"Hi"}]}"#
    private let dot = #"{"role":"user","content":[{"type":"text","text":"."}]}"#

    @Test("all instructions become the system prompt, in any position")
    func system() throws {
        let messages: [Message] = [
            Message(.system, "A"), Message(.developer, "B"), Message(.user, "Hi"), Message(.system, " "),
            Message(.system, "C"),
        ]
        let written = try WrittenMessages(ModelRequest(messages))
        #expect(
            written.text("system")
                == #"[{"type":"text","text":"A"},{"type":"text","text":"B"},{"type":"text","text":"C"}]"#)
        #expect(written.text("messages") == "[\(hi)]")
        #expect(try WrittenMessages(ModelRequest.greeting).body["system"] == nil)
        #expect(throws: TranslationError.self) {
            try WrittenMessages(ModelRequest([Message(.system, .image(.url("u"), detail: nil))]))
        }
    }

    @Test("consecutive messages of one role become one turn")
    func merging() throws {
        let written = try turns([
            Message(.user, "a"), Message(.user, "b"), Message(.assistant, "c"), Message(.assistant, .refusal("d")),
            Message(.user, "e"),
        ])
        #expect(
            written == #"[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},"#
                + #"{"role":"assistant","content":[{"type":"text","text":"c"},{"type":"text","text":"d"}]},"#
                + #"{"role":"user","content":[{"type":"text","text":"e"}]}]"#)
    }

    @Test("the user begins")
    func beginning() throws {
        let assistant = #"{"role":"assistant","content":[{"type":"text","text":"a"}]}"#
        #expect(try turns([Message(.assistant, "a"), Message(.user, "Hi")]) == "[\(dot),\(assistant),\(hi)]")
        #expect(try turns([Message(.system, "only")]) == "[\(dot)]")
    }

    @Test("texts of white space are omitted, and no turn is empty")
    func emptyTexts() throws {
        #expect(try turns([Message(.user, .text(" \n"), .text("Hi"))]) == "[\(hi)]")
        let assistant = #"{"role":"assistant","content":[{"type":"text","text":"."}]}"#
        #expect(
            try turns([Message(.user, ""), Message(.assistant, ""), Message(.user, "Hi")])
                == "[\(dot),\(assistant),\(hi)]")
        #expect(try turns([Message(.user, "Hi"), Message(.assistant, " ")]) == "[\(hi)]")
    }

    @Test("a prefilled turn ends without white space, and is answered if the model cannot continue it")
    func prefill() throws {
        let messages = [Message(.user, "Hi"), Message(.assistant, "So: \n")]
        let assistant = #"{"role":"assistant","content":[{"type":"text","text":"So:"}]}"#
        #expect(try turns(messages) == "[\(hi),\(assistant)]")
        let goOn = #"{"role":"user","content":[{"type":"text","text":"Continue."}]}"#
        #expect(try turns(messages, model: "claude-opus-4-6") == "[\(hi),\(assistant),\(goOn)]")
        let thinking = ModelRequest(messages) { $0.reasoning = ReasoningWish(effort: .low) }
        #expect(try WrittenMessages(thinking).text("messages") == "[\(hi),\(assistant),\(goOn)]")
    }

    @Test("results of a turn's calls come together, before its text")
    func results() throws {
        let written = try turns([
            Message(.user, "Hi"), Message(.assistant, .text("a"), .call("1", "f", #"{"x":1}"#), .call("2", "g", " ")),
            Message(.tool, .result("2", "two", isError: true)), Message(.user, "u"),
            Message(.tool, .result("1", "one")),
        ])
        #expect(
            written == "[\(hi),"
                + #"{"role":"assistant","content":[{"type":"text","text":"a"},"#
                + #"{"type":"tool_use","id":"1","name":"f","input":{"x":1}},"#
                + #"{"type":"tool_use","id":"2","name":"g","input":{}}]},"#
                + #"{"role":"user","content":["#
                + #"{"type":"tool_result","tool_use_id":"2","content":"two","is_error":true},"#
                + #"{"type":"tool_result","tool_use_id":"1","content":"one"},{"type":"text","text":"u"}]}]"#)
    }

    @Test("results have images, nothing, or an error without a text")
    func resultContents() throws {
        let image = Part(.image(.url("http://h/i.png"), detail: nil))
        let results: [Content] = [
            .toolResult(ToolResult(callID: "1", parts: [Part(.text("t")), image])),
            .toolResult(ToolResult(callID: "2", parts: [])),
            .toolResult(ToolResult(callID: "3", parts: [], isError: true)),
        ]
        let written = try turns([
            Message(.user, "Hi"), Message(.assistant, .call("1"), .call("2"), .call("3")),
            Message(.tool, results.map { Part($0) }),
        ])
        #expect(
            written.hasSuffix(
                #"{"type":"tool_result","tool_use_id":"1","content":[{"type":"text","text":"t"},"#
                    + #"{"type":"image","source":{"type":"url","url":"http://h/i.png"}}]},"#
                    + #"{"type":"tool_result","tool_use_id":"2"},"#
                    + #"{"type":"tool_result","tool_use_id":"3","content":".","is_error":true}]}]"#))
    }

    @Test("a call without a result gets a placeholder, and a result without a call is text")
    func unanswered() throws {
        let none = #""content":"No result of this call was given.","is_error":true}"#
        let call = #"{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"f","input":{}}]}"#
        #expect(
            try turns([Message(.user, "Hi"), Message(.assistant, .call("1"))])
                == #"[\#(hi),\#(call),{"role":"user","content":[{"type":"tool_result","tool_use_id":"1",\#(none)]}]"#)
        let written = try turns([
            Message(.user, "Hi"), Message(.assistant, .call("1")), Message(.user, "u"), Message(.assistant, "a"),
            Message(.tool, .result("1", "late")), Message(.tool, .result("9", "stray")),
        ])
        #expect(
            written == #"[\#(hi),\#(call),{"role":"user","content":[{"type":"tool_result","tool_use_id":"1",\#(none),"#
                + #"{"type":"text","text":"u"}]},{"role":"assistant","content":[{"type":"text","text":"a"}]},"#
                + #"{"role":"user","content":[{"type":"text","text":"late"},{"type":"text","text":"stray"}]}]"#)
    }

    @Test("refused or repeated ids are replaced, in calls and results")
    func ids() throws {
        let written = try turns([
            Message(.user, "Hi"), Message(.assistant, .call("a.b"), .call("a:b"), .call("")),
            Message(.tool, .result("a:b", "2"), .result("a.b", "1"), .result("", "3")),
            Message(.assistant, .call("a.b")), Message(.tool, .result("a.b", "4")),
        ])
        let ids = written.matches(of: #/"(?:id|tool_use_id)":"([^"]*)"/#).map { String($0.output.1) }
        #expect(ids == ["a_b", "a_b_2", "call", "a_b_2", "a_b", "call", "a_b_3", "a_b_3"])
    }

    @Test("thinking returns only to the provider that sealed it")
    func reasoning() throws {
        let messages: [Message] = [
            Message(.user, "Hi"),
            Message(
                .assistant, .reasoning(Reasoning("t", seal: ReasoningSeal(.messages, "s"))),
                .reasoning(Reasoning("", seal: ReasoningSeal(.messages, "r", isRedacted: true))), .text("a"),
                .reasoning(Reasoning("", seal: ReasoningSeal(.messages, "end")))),
            Message(.user, "u"),
        ]
        let kept = try WrittenMessages(ModelRequest(messages))
        #expect(
            kept.text("messages").contains(
                #"[{"type":"thinking","thinking":"t","signature":"s"},{"type":"redacted_thinking","data":"r"},"#
                    + #"{"type":"text","text":"a"}]"#))
        #expect(kept.dropped == ["messages[].reasoning_content"])
        let foreign = [
            Message(.user, "Hi"),
            Message(
                .assistant, .reasoning(Reasoning("t")), .reasoning(Reasoning("", seal: ReasoningSeal(.responses, "s"))),
                .text("a")), Message(.user, "u"),
        ]
        let dropped = try WrittenMessages(ModelRequest(foreign))
        #expect(dropped.text("messages").contains(#""content":[{"type":"text","text":"a"}]"#))
        #expect(dropped.dropped == ["messages[].reasoning_content"])
    }
}
