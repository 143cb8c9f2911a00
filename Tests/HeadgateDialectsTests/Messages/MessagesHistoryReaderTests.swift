import Testing

@testable import HeadgateDialects

@Suite("A conversation read from Messages")
struct MessagesHistoryReaderTests {
    private func read(_ messages: String) throws -> ReadMessages { try ReadMessages("", messages: messages) }

    @Test("has instructions before and between the turns")
    func system() throws {
        let messages = #"[{"role":"user","content":"Hi"},{"role":"system","content":[{"type":"text","text":"B"}]}]"#
        let read = try ReadMessages(#""system":"A""#, messages: messages)
        #expect(read.request.messages == [Message(.system, "A"), Message(.user, "Hi"), Message(.system, "B")])
        let blocks = try ReadMessages(
            #""system":[{"type":"text","text":"A","cache_control":{"type":"ephemeral"}},{"type":"text","text":"B"}]"#)
        #expect(
            blocks.request.messages.first
                == Message(.system, [Part(.text("A"), cacheMarker: CacheMarker()), Part(.text("B"))]))
    }

    @Test("has tool results as separate messages, before the text")
    func toolResults() throws {
        let read = try read(
            #"[{"role":"user","content":[{"type":"text","text":"u"},"#
                + #"{"type":"tool_result","tool_use_id":"1","content":"one","is_error":true},"#
                + #"{"type":"tool_result","tool_use_id":"2","cache_control":{"type":"ephemeral"},"content":["#
                + #"{"type":"text","text":"t"},{"type":"image","source":{"type":"url","url":"i"}},"#
                + #"{"type":"tool_reference","tool_name":"x"}]},{"type":"tool_result","tool_use_id":"3"}]}]"#)
        let second = ToolResult(
            callID: "2", parts: [Part(.text("t")), Part(.image(.url("i"), detail: nil)), Part(.text("x"))])
        #expect(
            read.request.messages == [
                Message(
                    .tool,
                    [
                        Part(.result("1", "one", isError: true)),
                        Part(.toolResult(second), cacheMarker: CacheMarker()),
                        Part(.toolResult(ToolResult(callID: "3", parts: []))),
                    ]), Message(.user, "u"),
            ])
        #expect(read.dropped == [])
    }

    @Test("has the model's calls, and its thinking with its provider's seal")
    func assistant() throws {
        let foreign = ReasoningSeal(.responses, "secret").written(for: .messages)
        let read = try read(
            #"[{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},"#
                + #"{"type":"thinking","thinking":"","signature":"\#(foreign)"},"#
                + #"{"type":"thinking","thinking":"open","signature":""},{"type":"redacted_thinking","data":"d"},"#
                + #"{"type":"text","text":"a"},{"type":"tool_use","id":"1","name":"f","input":{"x":[1]},"#
                + #""caller":{"type":"direct"}}]}]"#)
        #expect(
            read.request.messages == [
                Message(
                    .assistant, .reasoning(Reasoning("hm", seal: ReasoningSeal(.messages, "s"))),
                    .reasoning(Reasoning("", seal: ReasoningSeal(.responses, "secret"))),
                    .reasoning(Reasoning("open")),
                    .reasoning(Reasoning("", seal: ReasoningSeal(.messages, "d", isRedacted: true))), .text("a"),
                    .call("1", "f", #"{"x":[1]}"#))
            ])
        #expect(read.dropped == [])
    }

    @Test("has images, documents and search results")
    func media() throws {
        let read = try read(
            #"[{"role":"user","content":["#
                + #"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="}},"#
                + #"{"type":"image","source":{"type":"file","file_id":"f"}},"#
                + #"{"type":"document","title":"T","source":{"type":"base64","media_type":"application/pdf","data":"BB=="}},"#
                + #"{"type":"document","source":{"type":"text","media_type":"text/plain","data":"t"}},"#
                + #"{"type":"document","source":{"type":"content","content":[{"type":"text","text":"a"},"#
                + #"{"type":"text","text":"b"}]},"citations":{"enabled":false}},"#
                + #"{"type":"document","source":{"type":"url","url":"u"},"context":"c","citations":{"enabled":true}},"#
                + #"{"type":"search_result","title":"S","source":"http://s","content":[{"type":"text","text":"found"}]}]}]"#
        )
        #expect(
            read.request.messages == [
                Message(
                    .user, .image(.data(mediaType: "image/png", base64: "AA=="), detail: nil),
                    .image(.file(id: "f"), detail: nil),
                    .document(.data(mediaType: "application/pdf", base64: "BB=="), name: "T"),
                    .document(.text("t"), name: nil), .document(.text("a\nb"), name: nil),
                    .document(.url("u"), name: nil), .text("S\nhttp://s\nfound"))
            ])
        #expect(read.dropped == ["messages[].content[].citations", "messages[].content[].context"])
    }

    @Test("loses the work of the provider's own tools, and citations")
    func serverTools() throws {
        let read = try read(
            #"[{"role":"user","content":"Hi"},{"role":"assistant","content":["#
                + #"{"type":"server_tool_use","id":"s","name":"web_search","input":{}},"#
                + #"{"type":"web_search_tool_result","tool_use_id":"s","content":[]},"#
                + #"{"type":"text","text":"a","citations":[{"type":"char_location"}]},"#
                + #"{"type":"tool_use","id":"1","name":"f","input":{},"caller":{"type":"code_execution_20250825"}}]}]"#)
        #expect(read.request.messages.last == Message(.assistant, .text("a"), .call("1")))
        #expect(
            read.dropped == [
                "messages[].content[].server_tool_use", "messages[].content[].web_search_tool_result",
                "messages[].content[].citations", "messages[].content[].caller",
            ])
    }

    @Test("treats a cache marker of the whole request as one at its end")
    func cacheControl() throws {
        let read = try ReadMessages(#""cache_control":{"type":"ephemeral","ttl":"5m"}"#)
        #expect(read.request.messages.last?.parts.last?.cacheMarker == CacheMarker(timeToLive: "5m"))
        #expect(read.dropped == [])
    }

    @Test("survives the round trip")
    func roundTrip() throws {
        let messages =
            #"[{"role":"user","content":[{"type":"text","text":"Hi","cache_control":{"type":"ephemeral"}}]},"#
            + #"{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"},"#
            + #"{"type":"text","text":"a"},{"type":"tool_use","id":"1","name":"f","input":{"x":1}}]},"#
            + #"{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"r","is_error":true},"#
            + #"{"type":"text","text":"u"}]}]"#
        let read = try ReadMessages(#""system":"S","max_tokens":9"#, messages: messages)
        let written = try WrittenMessages(read.request, client: .messages)
        #expect(written.text("messages") == messages)
        #expect(written.text("system") == #"[{"type":"text","text":"S"}]"#)
        #expect(written.dropped == [])
    }
}
