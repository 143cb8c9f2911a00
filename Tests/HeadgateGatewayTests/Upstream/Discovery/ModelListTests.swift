import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct ModelListTests {
    private func list(_ text: String) -> ModelList? {
        Array(text.utf8).withUnsafeBytes { try? ModelList($0) }
    }

    @Test func readsBothForms() {
        let openAI = list(
            #"{"object":"list","data":[{"id":"a","owned_by":{"x":[1]}},{"object":"model","id":"b\u0062"}]}"#)
        #expect(openAI?.models.map(\.name) == ["a", "bb"] && openAI?.next == nil)
        let anthropic = list(#"{"data":[{"type":"model","id":"c"}],"first_id":"c","has_more":true,"last_id":"c"}"#)
        #expect(anthropic?.models.map(\.name) == ["c"] && anthropic?.next == "c")
        let last = list(#"{"data":[],"has_more":false,"last_id":"c"}"#)
        #expect(last?.models.map(\.name) == [] && last?.next == nil)
    }

    @Test(arguments: [
        ("a b", true), (String(repeating: "x", count: 512), true), (String(repeating: "x", count: 513), false),
        ("", false), ("é", false), (#"a\nb"#, false),
    ]) func nextPageRequiresAPrintableCursor(_ mark: String, _ isUsable: Bool) {
        let page = list(#"{"data":[{"id":"c"}],"has_more":true,"last_id":"\#(mark)"}"#)
        #expect(page?.models.map(\.name) == ["c"] && page?.next == (isUsable ? mark : nil))
    }

    @Test func modelsForOtherUsesComeLast() {
        let names = ["x-EMBED-1", "gpt-4-Instruct", "a-instruct", "DALL-E", "gpt-5", "tts"]
        #expect(
            ModelUse.talkersFirst(names.map { ListedModel($0) }).map(\.name) == [
                "a-instruct", "gpt-5", "x-EMBED-1", "gpt-4-Instruct", "DALL-E", "tts",
            ])
    }

    @Test func nullListIsEmpty() { #expect(list(#"{"object":"list","data":null}"#)?.models == []) }

    @Test(arguments: [
        "", "{}", "[]", "null", #"{"data":1}"#, #"{"data":["a"]}"#, #"{"data":[{}]}"#, #"{"data":[{"id":null}]}"#,
        #"{"data":[]"#, #"{"data":[]} x"#, #"{"data":[{"id":"a"},]}"#,
    ]) func anythingElseIsRefused(_ text: String) { #expect(list(text) == nil) }

    @Test(arguments: [
        ("gpt-5", true), ("日本 1", true), ("é", true), ("", false), (" a", false), ("a ", false), ("a\n", false),
        ("a\u{9B}", false), ("a\u{202E}", false), ("a\u{2028}", false), ("a\u{7F}", false), ("a\u{FEFF}", false),
        (String(repeating: "x", count: 256), true), (String(repeating: "x", count: 257), false),
    ]) func onlyPrintableNamesCount(_ name: String, _ isPrintable: Bool) {
        #expect(ModelList.isPrintable(name) == isPrintable)
    }
}
