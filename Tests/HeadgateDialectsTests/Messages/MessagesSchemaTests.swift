import Testing

@testable import HeadgateDialects

@Suite("A schema written for Messages")
struct MessagesSchemaTests {
    private func schema(_ text: String) throws -> JSONValue { try JSONValue(Array(text.utf8)) }

    private func format(_ text: String, client: ClientFormat = .chat) throws -> WrittenMessages {
        let schema = try schema(text)
        return try WrittenMessages(
            ModelRequest { $0.format = .schema(schema, name: nil, description: nil, isStrict: true) }, client: client)
    }

    private func tool(
        _ text: String, isStrict: Bool? = nil, client: ClientFormat = .chat
    ) throws -> (schema: String?, isStrict: Bool, dropped: [String]) {
        let schema = try schema(text)
        let written = try WrittenMessages(
            ModelRequest { $0.tools = [.function(.init(name: "f", parameters: schema, isStrict: isStrict))] },
            client: client)
        let tool = written.body["tools"]?.array?.first
        return (tool?["input_schema"]?.text, tool?["strict"] == true, written.dropped)
    }

    /// Schemas of one member, the written schemas, and the dropped keywords.
    private static let keywords: [(String, String, [String])] = [
        (#"{"type":"string","enum":["a",null],"default":"a","title":"T"}"#, "", []),
        (#"{"type":["string","null"],"format":"date-time","pattern":"^\\d+$"}"#, "", []),
        (##"{"type":"array","items":{"type":"string"},"minItems":1}"##, "", []), (##"{"$ref":"#/$defs/P"}"##, "", []),
        (#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#, "", []),
        (
            #"{"type":"integer","minimum":0,"maximum":9,"multipleOf":3}"#,
            #"{"type":"integer","description":"It must conform to {\"minimum\":0,\"maximum\":9,\"multipleOf\":3}"}"#,
            ["minimum", "maximum", "multipleOf"]
        ),
        (
            #"{"type":"string","minLength":2,"maxLength":8,"description":"D"}"#,
            #"{"type":"string","description":"D\n\nIt must conform to {\"minLength\":2,\"maxLength\":8}"}"#,
            ["minLength", "maxLength"]
        ),
        (
            #"{"type":"string","format":"color"}"#,
            #"{"type":"string","description":"It must conform to {\"format\":\"color\"}"}"#, ["format"]
        ),
        (
            #"{"type":"array","items":{"type":"number","exclusiveMinimum":0},"minItems":3}"#,
            #"{"type":"array","items":{"type":"number","description":"It must conform to {\"exclusiveMinimum\":0}"},"#
                + #""description":"It must conform to {\"minItems\":3}"}"#, ["exclusiveMinimum", "minItems"]
        ),
        (
            #"{"type":"string","pattern":"^(?=a)"}"#,
            #"{"type":"string","description":"It must conform to {\"pattern\":\"^(?=a)\"}"}"#, ["pattern"]
        ),
        (
            #"{"enum":[{"a":1}]}"#, #"{"description":"It must conform to {\"enum\":[{\"a\":1}]}"}"#, ["enum"]
        ),
        (
            #"{"oneOf":[{"type":"string","maxLength":1},{"type":"null"}]}"#,
            #"{"anyOf":[{"type":"string","description":"It must conform to {\"maxLength\":1}"},{"type":"null"}]}"#,
            ["oneOf", "maxLength"]
        ),
        (
            #"{"type":"object","properties":{"minimum":{"type":"string"}},"additionalProperties":true}"#,
            #"{"type":"object","properties":{"minimum":{"type":"string"}},"additionalProperties":false}"#,
            ["additionalProperties"]
        ),
        (#"{"$ref":"https://x.example/s.json","description":"D"}"#, "{}", ["$ref"]),
        (##"{"$ref":"#/$defs/P","description":"D","$comment":"c"}"##, ##"{"$ref":"#/$defs/P"}"##, []),
        (#"{"type":"string","$comment":"c","examples":["e"],"readOnly":true}"#, #"{"type":"string"}"#, []),
        (
            ##"{"allOf":[{"$ref":"#/$defs/P"}]}"##,
            ##"{"description":"It must conform to {\"allOf\":[{\"$ref\":\"#/$defs/P\"}]}"}"##, ["allOf"]
        ),
    ]

    private static let definition = #""$defs":{"P":{"type":"object","properties":{},"additionalProperties":false}}"#

    private static func whole(_ member: String) -> String {
        #"{"type":"object","properties":{"a":\#(member)},\#(definition),"additionalProperties":false}"#
    }

    @Test("has nothing that the provider refuses, and omissions are named", arguments: keywords)
    func members(member: String, expected: String, lost: [String]) throws {
        let expected = Self.whole(expected.isEmpty ? member : expected)
        let names: [ClientFormat: String] = [
            .chat: "response_format", .responses: "text.format", .ollamaChat: "format",
        ]
        for (client, name) in names {
            let written = try format(Self.whole(member), client: client)
            #expect(written.body["output_config"]?["format"]?["schema"]?.text == expected)
            #expect(written.dropped == lost.map { "\(name).\($0)" })
        }
        let strict = try tool(Self.whole(member), isStrict: true)
        #expect(strict.schema == expected && strict.isStrict)
        #expect(strict.dropped == lost.map { "tools[].function.parameters.\($0)" })
        let loose = try tool(Self.whole(member), client: .responses)
        #expect(loose.schema == Self.whole(member) && !loose.isStrict && loose.dropped.isEmpty)
    }

    @Test(
        "of a tool has no alternatives at its top, but all their members",
        arguments: [
            (
                #"{"oneOf":[{"properties":{"k":{"const":"a"},"x":{"type":"string"}},"required":["k","x"]},"#
                    + #"{"properties":{"k":{"const":"b"}},"required":["k"]}]}"#,
                #"{"properties":{"k":{"anyOf":[{"const":"a"},{"const":"b"}]},"x":{"type":"string"}},"#
                    + #""required":["k"],"type":"object"}"#, "oneOf"
            ),
            (
                #"{"type":"object","properties":{"p":{"type":"string"}},"required":["p"],"#
                    + ##""anyOf":[{"required":["q"]},{"$ref":"#/$defs/Q"}],"$defs":{"Q":{"properties":{"q":{}}}}}"##,
                #"{"type":"object","properties":{"p":{"type":"string"},"q":{}},"required":["p"],"#
                    + #""$defs":{"Q":{"properties":{"q":{}}}}}"#, "anyOf"
            ),
            (
                #"{"allOf":[{"properties":{"a":{}},"required":["a"]},{"properties":{"b":{}},"required":["b"]}]}"#,
                #"{"properties":{"a":{},"b":{}},"required":["a","b"],"type":"object"}"#, "allOf"
            ),
            (
                ##"{"anyOf":[true,{"$ref":"#/$defs/none"}],"type":["object","null"]}"##,
                #"{"type":"object","properties":{}}"#, "anyOf"
            ),
        ])
    func alternatives(schema: String, expected: String, lost: String) throws {
        let written = try tool(schema)
        #expect(written.schema == expected)
        #expect(written.dropped == ["tools[].function.parameters.\(lost)"])
    }

    @Test(
        "that the provider cannot enforce is sent without strictness, which is named",
        arguments: [
            #"{"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"string"}}}}"#,
            #"{"type":"object","properties":{"m":{"type":"object"}}}"#,
            ##"{"type":"object","properties":{"n":{"$ref":"#"}}}"##,
            ##"{"type":"object","properties":{"n":{"$ref":"#/$defs/N"}},"##
                + ##""$defs":{"N":{"type":"object","properties":{"n":{"anyOf":[{"$ref":"#/$defs/N"},{"type":"null"}]}}}}}"##,
        ])
    func notStrict(schema: String) throws {
        let written = try tool(schema, isStrict: true)
        #expect(written.schema == schema && !written.isStrict)
        #expect(written.dropped == ["tools[].function.strict"])
    }

    @Test("that contains itself becomes an instruction")
    func recursive() throws {
        let written = try format(##"{"type":"object","properties":{"n":{"$ref":"#"}}}"##)
        #expect(written.body["output_config"] == nil && written.dropped == ["response_format"])
        #expect(written.text("system").contains("conforms to this JSON Schema"))
    }
}
