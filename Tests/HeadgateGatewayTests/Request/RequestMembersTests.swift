import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Member names and values that JSON parsers read in different ways.
@Suite struct RequestMembersTests {
    private func refusal(_ members: String, shape: RequestShape = .chat) -> GatewayError? {
        do throws(GatewayError) {
            _ = try RequestEnvelope(Array(#"{"model":"m","messages":[],\#(members)}"#.utf8), shape: shape)
            return nil
        } catch {
            return error
        }
    }

    // MARK: Case

    @Test(arguments: [
        ("Model", "Model", "model"), ("MODEL", "MODEL", "model"), ("mode\\u004c", "modeL", "model"),
        ("\\u006dodeL", "modeL", "model"), ("Stream", "Stream", "stream"),
        ("\u{17F}tream", #"\u{017F}tream"#, "stream"), ("\\u017ftream", #"\u{017F}tream"#, "stream"),
        ("N", "N", "n"), ("Messages", "Messages", "messages"),
        ("me\u{17F}\u{17F}ages", #"me\u{017F}\u{017F}ages"#, "messages"),
        ("STREAM_OPTIONS", "STREAM_OPTIONS", "stream_options"),
        ("max_to\u{212A}ens", #"max_to\u{212A}ens"#, "max_tokens"),
        ("max_to\\u212aens", #"max_to\u{212A}ens"#, "max_tokens"),
        ("max_complet\u{131}on_tokens", #"max_complet\u{0131}on_tokens"#, "max_completion_tokens"),
        ("Max_Completion_Tokens", "Max_Completion_Tokens", "max_completion_tokens"),
    ])
    func memberThatDiffersOnlyInCaseIsRefusedByName(_ written: String, _ shown: String, _ meant: String) {
        let error = refusal(#""\#(written)":"x""#)
        #expect(error?.status == 400 && error?.code == "ambiguous_member", "\(String(describing: error))")
        #expect(error?.parameter == shown)
        #expect(error?.message.contains("'\(meant)'") == true)
    }

    @Test(arguments: ["Include_Usage", "\\u0049nclude_usage", "include_u\u{17F}age"])
    func memberOfTheStreamOptionsIsRefusedAsWell(_ name: String) {
        #expect(refusal(#""stream":true,"stream_options":{"\#(name)":false}"#)?.code == "ambiguous_member")
    }

    @Test(arguments: [
        "Temperature", "models", "mode", "tools", "\\u0074ools", "modé", "ﬅream", "stream-options", "m\\u006fdels",
        "Stream_",
        "é", "模型", "",
    ])
    func otherMembersPassWhateverTheirCase(_ name: String) {
        #expect(refusal(#""\#(name)":1"#) == nil)
    }

    @Test func onlyMembersOfTheRouteAreGuarded() {
        let embeddings = RequestShape(streams: .ignored)
        #expect(refusal(#""Stream":true,"N":3,"Max_Tokens":1"#, shape: embeddings) == nil)
        #expect(refusal(#""Model":"x""#, shape: embeddings)?.code == "ambiguous_member")
        let speech = RequestShape(streams: .refusedByFormat)
        #expect(refusal(#""Stream_Format":"sse""#, shape: speech)?.code == "ambiguous_member")
    }

    @Test func nameInARefusalIsShort() throws {
        let error = refusal("\"model\(String(repeating: "\\ud800", count: 500))\":1")
        #expect(error?.status == 400)
        #expect(try #require(error?.parameter).utf8.count < 600)
    }

    // MARK: Surrogates

    @Test(arguments: [#"mod\ud800el"#, #"\udc00"#, #"model\ud83d\ue000"#])
    func surrogateHalfInANameIsRefused(_ name: String) {
        let error = refusal(#""\#(name)":1"#)
        #expect(error?.status == 400 && error?.code == "invalid_value")
        #expect(error?.message.contains("surrogate") == true)
    }

    @Test func surrogateHalfInTheModelIsRefused() {
        let bytes = Array(#"{"model":"any-\ud800","messages":[]}"#.utf8)
        let error = #expect(throws: GatewayError.self) { try RequestEnvelope(bytes) }
        #expect(error?.parameter == "model" && error?.message.contains("surrogate") == true)
    }

    @Test func surrogateHalfInUnreadMembersPasses() {
        #expect(refusal(#""user":"\ud800","metadata":{"\udc00":1}"#) == nil)
    }

    // MARK: Numbers

    @Test(
        arguments: ["max_tokens", "max_completion_tokens"],
        [
            "-1", "-1e3", "1e999", "-1e999", "1.5", "\"12\"", "true", "{}", "[1]", "99999999999999999999",
        ])
    func outputLimitIsAnInteger(_ name: String, _ value: String) {
        let error = refusal(#""\#(name)":\#(value)"#)
        #expect(error?.status == 400 && error?.code == "invalid_value")
        #expect(error?.parameter == name && error?.message.contains(name) == true)
    }

    @Test(arguments: ["0", "1", "4096", "1e3", "12.0", "null"]) func otherBoundsPass(_ value: String) {
        #expect(refusal(#""max_tokens":\#(value),"max_completion_tokens":\#(value)"#) == nil)
    }

    @Test func eachRouteHasItsOwnBound() {
        #expect(refusal(#""service_tier":"flex","service_tier":"default""#)?.code == "duplicate_member")
        #expect(refusal(#""Service_tier":"flex""#)?.code == "ambiguous_member")
        let responses = RelayOperation.createResponse.shape
        #expect(refusal(#""max_output_tokens":-1"#, shape: responses)?.parameter == "max_output_tokens")
        #expect(refusal(#""max_tokens":-1"#, shape: responses) == nil)
        #expect(refusal(#""max_tokens":-1"#, shape: RelayOperation.createMessage.shape)?.parameter == "max_tokens")
        #expect(refusal(#""max_tokens":-1"#, shape: RelayOperation.createCompletion.shape)?.parameter == "max_tokens")
    }

    @Test(arguments: ["1e999", "-1e999"]) func overflowingNumberIsNotACount(_ number: String) {
        #expect(refusal(#""n":\#(number)"#)?.parameter == "n")
    }

    @Test func longNumberIsRefusedAnywhere() {
        let digits = String(repeating: "9", count: 1025)
        for members in [#""max_tokens":\#(digits)"#, #""x":[{"y":\#(digits)}]"#, #""n":\#(digits)"#] {
            #expect(refusal(members)?.code == "invalid_json")
        }
    }

    // MARK: Many

    @Test func requestCanHave100_000Members() {
        func members(_ count: Int) -> String { [String](repeating: #""a":0"#, count: count).joined(separator: ",") }
        #expect(refusal(members(99_998)) == nil)
        #expect(refusal(members(99_999))?.code == "too_many_members")
        #expect(refusal(#""metadata":{\#(members(99_998))}"#)?.code == "too_many_members")
        #expect(refusal(#""metadata":{\#(members(99_997))}"#) == nil)
    }
}
