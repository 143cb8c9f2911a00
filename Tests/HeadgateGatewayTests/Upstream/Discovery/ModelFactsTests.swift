import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct ModelFactsTests {
    private func facts(_ members: String) -> ModelFacts? {
        Array(#"{"data":[{"id":"m",\#(members)}]}"#.utf8).withUnsafeBytes { try? ModelList($0).models.first?.facts }
    }

    @Test(arguments: [
        (#""max_model_len":131072"#, 131_072), (#""context_length":200000"#, 200_000),
        (#""context_window":8192.0"#, 8192), (#""max_context_length":32768"#, 32_768),
        (#""max_input_tokens":1000000"#, 1_000_000), (#""inputTokenLimit":7"#, 7),
        (#""meta":{"n_ctx_train":40960,"n_ctx":8192}"#, 8192),
        (#""context_length":262144,"top_provider":{"context_length":131072}"#, 131_072),
    ]) func contextIsReadFromEveryKindOfList(_ members: String, _ context: Int) {
        #expect(facts(members)?.context == context)
    }

    @Test(arguments: [
        #""context_length":null"#, #""context_length":"8k""#, #""context_length":0"#, #""meta":[1]"#, #""meta":{}"#,
        #""context_length":-1"#, #""context_length":1e99"#,
    ]) func valueOfAnotherTypeIsNotAContextSize(_ members: String) {
        #expect(facts(members).map { $0.context == nil && $0.members.count == 1 } == true)
    }

    @Test(
        arguments: [
            (#""architecture":{"input_modalities":["text","image"]}"#, true, Bool?.none),
            (#""architecture":{"input_modalities":["text"]},"supported_parameters":["tools"]"#, false, true),
            (#""supported_parameters":[]"#, nil, false),
            (#""capabilities":{"vision":true,"function_calling":false}"#, true, false),
            (#""capabilities":{"image_input":{"supported":true},"vision":1}"#, nil, nil),
            (#""capabilities":{"image_input":{"supported":true}}"#, true, nil),
            (#""capabilities":["vision"]"#, nil, nil),
        ] as [(String, Bool?, Bool?)]) func capabilitiesAreReadIfPresent(
            _ text: String, _ images: Bool?, _ tools: Bool?
        )
    {
        let facts = facts(text)
        #expect(facts?.takesImages == images && facts?.takesTools == tools)
    }

    @Test func membersAreStoredAsWritten() {
        let facts = facts(
            #""object":"x","root":"/models/m","pricing": {"prompt":"0.10"} ,"pricing":1,"owned_by":7,"created":"now""#)
        #expect(facts?.members == [ModelFacts.Member(name: "pricing", value: Array(#"{"prompt":"0.10"}"#.utf8))])
    }

    @Test func tooLargeMembersAreDroppedButTheirFactsRemain() {
        let facts = facts(#""context_length":9,"description":"\#(String(repeating: "x", count: 17_000))""#)
        #expect(facts?.members == [] && facts?.context == 9)
    }

    @Test func severalTargetsHaveTheSmallestContextAndCommonFeatures() {
        let (large, small) = (
            ModelFacts(context: 9, takesImages: true, takesTools: true),
            ModelFacts(context: 5, takesImages: false, takesTools: true)
        )
        let common = ModelFacts(common: [large, small, large])
        #expect(common.context == 5 && common.takesImages == false && common.takesTools == true)
        #expect(common.members.map(\.name) == ["supported_parameters"])
        let unknown = ModelFacts(common: [large, nil])
        #expect(unknown.context == 9 && unknown.takesImages == nil && unknown.takesTools == nil)
    }
}
