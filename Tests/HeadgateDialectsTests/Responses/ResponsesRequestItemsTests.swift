import Testing

@testable import HeadgateDialects

@Suite("Items of Responses requests")
struct ResponsesRequestItemsTests {
    private func messages(_ input: String) throws -> [Message] {
        try readResponses(#""input":\#(input)"#).request.messages
    }

    @Test("become messages of their roles, with or without a type")
    func roles() throws {
        let messages = try messages(
            #"""
            [{"role":"developer","content":"d"},
             {"type":"message","role":"user","content":[{"type":"input_text","text":"a",
             "prompt_cache_breakpoint":{"mode":"explicit","ttl":"30m"}},{"type":"input_text","text":"b"}]},
             {"role":"system","content":"s"},
             {"type":"message","id":"msg_1","status":"completed","role":"assistant",
              "content":[{"type":"output_text","text":"c","annotations":[],"logprobs":[]},
               {"type":"refusal","refusal":"no"}]}]
            """#)
        #expect(
            messages == [
                Message(.developer, ["d"]),
                Message(.user, [Part(.text("a"), cacheMarker: CacheMarker(timeToLive: "30m")), "b"]),
                Message(.system, ["s"]), Message(.assistant, ["c", Part(.refusal("no"))]),
            ])
    }

    @Test("of one turn become one message, and results another")
    func turns() throws {
        let messages = try messages(
            #"""
            [{"role":"user","content":"q"},
             {"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"t1"},{"type":"summary_text",
              "text":"t2"}],"content":null,"encrypted_content":"E"},
             {"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"}]},
             {"type":"function_call","id":"fc_1","call_id":"c1","name":"f","arguments":"{\"x\":1}",
              "status":"completed"},
             {"type":"custom_tool_call","call_id":"c2","name":"patch","input":"*** Begin"},
             {"type":"function_call_output","call_id":"c1","output":"r"},
             {"type":"custom_tool_call_output","call_id":"c2","output":[{"type":"input_text","text":"done"}]},
             {"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"raw"}]},
             {"type":"function_call","call_id":"c3","name":"f","arguments":""}]
            """#)
        #expect(
            messages == [
                Message(.user, ["q"]),
                Message(
                    .assistant,
                    [
                        .reasoning("t1\n\nt2", ReasoningSeal(.responses, "E")), "a", .call("c1", "f", #"{"x":1}"#),
                        .call("c2", "patch", "*** Begin", isCustom: true),
                    ]),
                Message(.tool, [.result("c1", ["r"]), .result("c2", ["done"], isCustom: true)]),
                Message(.assistant, [.reasoning("raw"), .call("c3", "f", "{}")]),
            ])
    }

    @Test("with another provider's seal return it to that provider")
    func foreignSeal() throws {
        let seal = ReasoningSeal(.messages, "sig:1")
        let messages = try messages(
            #"""
            [{"type":"reasoning","summary":[],"encrypted_content":"\#(seal.written(for: .responses))"},
             {"role":"assistant","content":"a"}]
            """#)
        #expect(messages == [Message(.assistant, [.reasoning("", seal), "a"])])
    }

    @Test("of unused reasoning are dropped and named")
    func lonelyReasoning() throws {
        let read = try readResponses(
            #""input":[{"type":"reasoning","summary":[{"text":"t"}]},{"role":"user","content":"q"}]"#)
        #expect(read.request.messages == [Message(.user, ["q"])])
        #expect(read.dropped == ["input[].summary"])
    }

    @Test("have images and files of every source")
    func media() throws {
        let messages = try messages(
            #"""
            [{"role":"user","content":[
              {"type":"input_image","detail":"high","image_url":"https://example.com/i.png"},
              {"type":"input_image","detail":"auto","image_url":"data:image/png;base64,AAAA"},
              {"type":"input_image","file_id":"file_1"},
              {"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,BBBB"},
              {"type":"input_file","file_url":"https://example.com/b.pdf"},
              {"type":"input_file","file_id":"file_2"},
              {"type":"input_file","filename":"n.txt","file_data":"data:text/plain;base64,aGk="}]},
             {"type":"function_call_output","call_id":"c","output":[
              {"type":"input_image","image_url":"https://e.com/x"}]}]
            """#)
        #expect(
            messages == [
                Message(
                    .user,
                    [
                        Part(.image(.url("https://example.com/i.png"), detail: "high")),
                        Part(.image(.data(mediaType: "image/png", base64: "AAAA"), detail: nil)),
                        Part(.image(.file(id: "file_1"), detail: nil)),
                        Part(.document(.data(mediaType: "application/pdf", base64: "BBBB"), name: "a.pdf")),
                        Part(.document(.url("https://example.com/b.pdf"), name: nil)),
                        Part(.document(.file(id: "file_2"), name: nil)), Part(.document(.text("hi"), name: "n.txt")),
                    ]),
                Message(.tool, [.result("c", [Part(.image(.url("https://e.com/x"), detail: nil))])]),
            ])
    }

    @Test("of hosted tools are dropped by type, and their neighbours stay one turn")
    func foreign() throws {
        let read = try readResponses(
            #"""
            "input":[{"type":"web_search_call","id":"ws","status":"completed","action":{"type":"search"}},
             {"type":"function_call","call_id":"a","name":"f","arguments":"{}"},
             {"type":"local_shell_call","id":"l","call_id":"l","action":{},"status":"completed"},
             {"type":"function_call","call_id":"b","name":"f","arguments":"{}"},
             {"type":"local_shell_call_output","id":"l","output":"x"}]
            """#)
        #expect(read.request.messages == [Message(.assistant, [.call("a", "f", "{}"), .call("b", "f", "{}")])])
        #expect(
            read.dropped == [
                "input[].web_search_call", "input[].local_shell_call", "input[].local_shell_call_output",
            ])
    }

    @Test(
        "that refer to history at the provider are refused by their place",
        arguments: [
            "compaction", "compaction_summary", "compaction_trigger", "agent_message", "multi_agent_call",
            "multi_agent_call_output",
        ])
    func history(_ type: String) {
        let body = #"{"model":"m","input":[{"role":"user","content":"u"},{"type":"\#(type)","id":"i"}]}"#
        let error = #expect(throws: TranslationError.self) {
            try RequestTranslation.translate(Array(body.utf8), from: .responses, to: .chat, for: TargetTraits())
        }
        #expect(error?.member == "input[1].type" && error?.message.contains("'\(type)'") == true)
    }

    @Test(
        "are refused by the member that the client sent",
        arguments: [
            (#"{"type":"input_file","file_url":"https://e.com/a.pdf"}"#, WireFormat.chat, "file_url"),
            (#"{"type":"input_file","file_id":"f"}"#, .chat, "file_id"),
            (#"{"type":"input_file","file_id":"f"}"#, .messages, "file_id"),
            (#"{"type":"input_image","file_id":"f"}"#, .chat, "file_id"),
        ])
    func refusals(_ part: String, _ upstream: WireFormat, _ member: String) {
        let body = #"{"model":"m","input":[{"role":"user","content":[\#(part)]}]}"#
        let error = #expect(throws: TranslationError.self) {
            try RequestTranslation.translate(Array(body.utf8), from: .responses, to: upstream, for: TargetTraits())
        }
        #expect(error?.member == "input[].content[].\(member)")
        #expect(error?.message.contains("'input[].content[].\(member)'") == true)
    }

    @Test("name their lost parts")
    func losses() throws {
        let read = try readResponses(
            #"""
            "input":[{"role":"assistant","phase":"commentary","content":[{"type":"output_text","text":"a",
              "annotations":[{"type":"url_citation"}]}]},
             {"type":"function_call","call_id":"c","name":"f","arguments":"{}","caller":{"type":"program"}},
             {"type":"function_call_output","call_id":"c","caller":{"type":"direct"},
              "output":[{"type":"input_text","text":"r","mood":"glad"}]}]
            """#)
        #expect(
            read.dropped == [
                "input[].phase", "input[].content[].annotations", "input[].caller", "input[].output[].mood",
            ])
    }
}
