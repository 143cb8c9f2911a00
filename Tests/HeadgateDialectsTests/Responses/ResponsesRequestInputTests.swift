import Testing

@testable import HeadgateDialects

@Suite("The items of written Responses requests")
struct ResponsesRequestInputTests {
    private func items(_ messages: [Message]) throws -> (body: JSONValue, items: [JSONValue], dropped: [String]) {
        let written = try writeResponses { $0.messages = messages }
        return (written.body, written.body["input"]?.array ?? [], written.dropped)
    }

    private static func message(_ role: String, _ content: JSONValue) -> JSONValue {
        ["type": "message", "role": .string(role), "content": content]
    }

    private static func user(_ text: String) -> JSONValue {
        message("user", [["type": "input_text", "text": .string(text)]])
    }

    @Test("are those after the instructions, or the instructions if there is nothing else")
    func instructions() throws {
        let written = try items([
            Message(.system, ["s", ""]), Message(.developer, ["d"]), Message(.user, ["q"]), Message(.system, ["later"]),
        ])
        #expect(written.body["instructions"] == "s\n\nd")
        #expect(
            written.items == [Self.user("q"), Self.message("system", [["type": "input_text", "text": "later"]])])
        let alone = try items([Message(.system, ["s"])])
        #expect(alone.body["instructions"] == nil)
        #expect(alone.items == [Self.message("system", [["type": "input_text", "text": "s"]])])
    }

    @Test("are one for each text, call, result and own reasoning of a turn")
    func turns() throws {
        let written = try items([
            Message(.user, ["q"]),
            Message(
                .assistant,
                [
                    .reasoning("t", ReasoningSeal(.responses, "E")), .reasoning("", ReasoningSeal(.responses, "F")),
                    .reasoning("x", ReasoningSeal(.messages, "G")), "a", Part(.refusal("no")),
                    .call("c1", "f", ""), .call("c2", "p", "free", isCustom: true),
                ]),
            Message(
                .tool,
                [
                    .result("c1", ["r"], isError: true),
                    .result("c2", ["one", Part(.image(.url("u"), detail: "low"))]),
                ]),
        ])
        #expect(
            written.items == [
                Self.user("q"),
                [
                    "type": "reasoning", "id": "rs_0", "summary": [["type": "summary_text", "text": "t"]],
                    "encrypted_content": "E",
                ],
                ["type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "F"],
                Self.message(
                    "assistant",
                    [
                        ["type": "output_text", "text": "a", "annotations": []], ["type": "refusal", "refusal": "no"],
                    ]),
                ["type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"],
                ["type": "custom_tool_call", "call_id": "c2", "name": "p", "input": "free"],
                ["type": "function_call_output", "call_id": "c1", "output": "Error: r"],
                [
                    "type": "custom_tool_call_output", "call_id": "c2",
                    "output": [
                        ["type": "input_text", "text": "one"],
                        ["type": "input_image", "detail": "low", "image_url": "u"],
                    ],
                ],
            ])
        #expect(written.dropped == ["messages[].reasoning_content"])
    }

    @Test("answer every call once, and leave no result without a call")
    func answers() throws {
        let written = try items([
            Message(.user, ["q"]), Message(.assistant, [.call("c", "f", "{}"), .call("d", "f", "{}")]),
            Message(.tool, [.result("d", ["r"]), .result("d", ["again"]), .result("z", ["stray"])]),
            Message(.assistant, [.call("c", "f", "{}")]), Message(.user, ["and?"]),
            Message(.tool, [.result("c", [])]),
        ])
        func call(_ id: JSONValue) -> JSONValue {
            ["type": "function_call", "call_id": id, "name": "f", "arguments": "{}"]
        }
        func output(_ id: JSONValue, _ text: JSONValue) -> JSONValue {
            ["type": "function_call_output", "call_id": id, "output": text]
        }
        #expect(
            written.items == [
                Self.user("q"), call("c"), call("d"), output("c", "No result of this call was given."),
                output("d", "r"), Self.user("again"), Self.user("stray"), call("c_2"), Self.user("and?"),
                output("c_2", ""),
            ])
    }

    @Test("have images and documents of every source, and cache markers")
    func media() throws {
        let pdf = Source.data(mediaType: "application/pdf", base64: "BB")
        let written = try items([
            Message(
                .user,
                [
                    Part(.image(.data(mediaType: "image/png", base64: "AA"), detail: nil)),
                    Part(.document(pdf, name: nil), cacheMarker: CacheMarker(timeToLive: "12h")),
                    Part(.document(.url("https://e.com/b"), name: "b")),
                    Part(.document(.text("body"), name: "title"), cacheMarker: CacheMarker(timeToLive: "5m")),
                ])
        ])
        #expect(
            written.items == [
                Self.message(
                    "user",
                    [
                        ["type": "input_image", "detail": "auto", "image_url": "data:image/png;base64,AA"],
                        [
                            "type": "input_file", "filename": "document.pdf",
                            "file_data": "data:application/pdf;base64,BB",
                            "prompt_cache_breakpoint": ["mode": "explicit", "ttl": "12h"],
                        ],
                        ["type": "input_file", "file_url": "https://e.com/b", "filename": "b"],
                        [
                            "type": "input_text", "text": "title\n\nbody",
                            "prompt_cache_breakpoint": ["mode": "explicit"],
                        ],
                    ])
            ])
        #expect(written.dropped == [])
    }
}
