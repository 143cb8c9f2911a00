import HeadgateConfiguration
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Refusals with the messages of real servers, and the requests after them.
@Suite struct KnownRefusalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let words: String
        var status = 400
        var operation = RelayOperation.createChatCompletion
        /// Members of the request, and those of the next request after the refusal.
        let before: String
        let after: String

        var testDescription: String { words }
    }

    private static func openAI(_ message: String, _ parameter: String = "null", code: String = "null") -> String {
        #"{"error":{"message":"\#(message)","type":"invalid_request_error","param":\#(parameter),"code":\#(code)}}"#
    }

    private static func pydantic(_ location: String, _ message: String, type: String = "extra_forbidden") -> String {
        #"{"detail":[{"type":"\#(type)","loc":["body",\#(location)],"msg":"\#(message)","#
            + #""input":{"include_usage":true}}]}"#
    }

    private static let usage = #""stream_options":{"include_usage":true}"#
    private static let developer = #""messages":[{"role":"developer","content":"developer"},{"role":"user"}]"#
    private static let system = #""messages":[{"role":"system","content":"developer"},{"role":"user"}]"#

    static let known: [Case] = [
        Case(words: openAI("Unrecognized request argument supplied: stream_options"), before: usage, after: ""),
        Case(
            words: pydantic(#""stream_options""#, "Extra inputs are not permitted"), status: 422, before: usage,
            after: ""),
        Case(words: #"json: unknown field "stream_options""#, before: usage, after: ""),
        Case(words: #"{"error":"Stream options are not supported"}"#, status: 500, before: usage, after: ""),
        Case(
            words: openAI(
                "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",
                #""parallel_tool_calls""#, code: #""unsupported_parameter""#),
            before: #""parallel_tool_calls":false,"n":1"#, after: #""n":1"#),
        Case(
            words: openAI(
                "Unsupported parameter: 'max_tokens' is not supported with this model. "
                    + "Use 'max_completion_tokens' instead.",
                #""max_tokens""#, code: #""unsupported_parameter""#),
            before: #""max_tokens":7"#, after: #""max_completion_tokens":7"#),
        Case(
            words: openAI(
                "Invalid 'max_tokens': integer below minimum value. Expected a value >= 1, but got -1 instead.",
                #""max_tokens""#, code: #""integer_below_min_value""#),
            before: #""n":1,"max_tokens":-1,"max_completion_tokens":-1"#, after: #""n":1"#),
        Case(
            words: #"{"object":"error","message":"max_tokens must be at least 1, got -1.","code":400}"#,
            before: #""max_tokens":-1,"n":1"#, after: #""n":1"#),
        Case(
            words: openAI("Invalid 'max_output_tokens': expected a value >= 16."), operation: .createResponse,
            before: #""max_output_tokens":-1,"input":"a""#, after: #""input":"a""#),
        Case(
            words: openAI("base64 encoding is not currently supported"), operation: .createEmbedding,
            before: #""encoding_format":"base64","input":"a""#, after: #""input":"a""#),
        Case(
            words: openAI("Unrecognized request argument supplied: max_completion_tokens"),
            before: #""max_completion_tokens":7"#, after: #""max_tokens":7"#),
        Case(
            words: openAI("Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported."),
            before: #""max_tokens":7,"max_completion_tokens":8"#, after: #""max_completion_tokens":8"#),
        Case(
            words: openAI(
                "Unsupported value: 'messages[0].role' does not support 'developer' with this model.",
                #""messages[0].role""#),
            before: developer, after: system),
        Case(
            words: openAI(
                "Failed to deserialize the JSON body into the target type: messages[0].role: "
                    + "unknown variant `developer`, expected one of `system`, `user`"
            ),
            status: 422, before: developer, after: system),
        Case(
            words: openAI("developer is not one of ['system', 'assistant', 'user'] - 'messages.0.role'"),
            before: developer, after: system),
        Case(words: openAI("Unexpected message role."), status: 500, before: developer, after: system),
        Case(
            words: openAI("Only user and assistant roles are supported!"), operation: .createResponse,
            before: #""input":[{"role":"developer","content":"x"}]"#,
            after: #""input":[{"role":"system","content":"x"}]"#),
        Case(
            words: openAI(
                "Unsupported value: 'temperature' does not support 0.2 with this model. "
                    + "Only the default (1) value is supported.",
                #""temperature""#, code: #""unsupported_value""#),
            before: #""temperature":0.2"#, after: ""),
        Case(
            words: openAI("Unsupported parameter: 'temperature' is not supported with this model."),
            operation: .createResponse, before: #""temperature":0.2"#, after: ""),
        Case(
            words:
                #"{"type":"error","error":{"message":"`temperature` is deprecated for this model."}}"#,
            operation: .createMessage, before: #""temperature":1"#, after: ""),
        Case(
            words: openAI("Unsupported parameter: 'top_p' is not supported with this model.", #""top_p""#),
            before: #""top_p":0.9"#, after: ""),
        Case(
            words: openAI("Argument not supported on this model: presence_penalty"),
            before: #""presence_penalty":0.5"#, after: ""),
    ]

    @Test(arguments: known) func knownRefusalsAreRepaired(_ known: Case) throws {
        let remedy = try remedy(known.words, known.status, known.operation, known.before)
        guard case .body(let body, _)? = remedy else {
            Issue.record("nothing is mended")
            return
        }
        #expect(
            String(decoding: body, as: UTF8.self) == "{\"model\":\"m\"" + (known.after.isEmpty ? "" : ",") + known.after
                + "}")
    }

    static let others: [Case] = [
        Case(words: openAI("'temperature' must be between 0 and 2"), before: #""temperature":3"#, after: ""),
        Case(words: openAI("temperature 1.9 is not supported"), before: #""temperature":"x""#, after: ""),
        Case(words: openAI("temperature above 1 is not supported"), before: #""temperature":1.5"#, after: ""),
        Case(words: openAI("temperature 5 is not supported"), before: #""temperature":5"#, after: ""),
        Case(
            words: openAI(
                "max_tokens is too large: 100000. This model supports at most 4096 completion tokens, "
                    + "more are not supported"
            ),
            before: #""max_tokens":100000"#, after: ""),
        Case(
            words: openAI("This model's maximum context length is 8192 tokens. Unsupported max_tokens"),
            before: #""max_tokens":1"#, after: ""),
        // Some servers repeat the request.
        Case(
            words:
                #"{"detail":[{"loc":["body","seed"],"msg":"Extra inputs are not permitted","input":"temperature"}]}"#,
            before: #""temperature":1"#, after: ""),
        Case(
            words: openAI("Unsupported parameter: 'temperature'", #""top_p""#), before: #""temperature":1"#,
            after: ""),
        Case(words: openAI("temperatures are not supported"), before: #""temperature":1"#, after: ""),
        Case(words: openAI("Unsupported parameter: 'temperature'"), before: #""n":1"#, after: ""),
        Case(
            words: openAI("Unsupported parameter: 'temperature'"), status: 401, before: #""temperature":1"#, after: ""),
        Case(
            words: openAI("Unsupported parameter: 'temperature'"), status: 429, before: #""temperature":1"#, after: ""),
        Case(
            words: openAI("max_tokens: Extra inputs are not permitted"), operation: .createMessage,
            before: #""max_tokens":1"#, after: ""),
        Case(
            words: openAI("max_tokens: Extra inputs are not permitted"), operation: .createEmbedding,
            before: #""max_tokens":1"#, after: ""),
        Case(words: openAI("Conversation roles must alternate"), before: developer, after: ""),
        Case(words: "", before: usage, after: ""),
        Case(words: "[[[[[[[[[[[[", before: usage, after: ""),
    ]

    @Test(arguments: others) func otherRefusalsAreRelayed(_ other: Case) throws {
        let remedy = try remedy(other.words, other.status, other.operation, other.before)
        #expect(remedy.map { "\($0)" } == nil)
    }

    private func remedy(
        _ words: String, _ status: Int, _ operation: RelayOperation, _ members: String, besides done: Repairs = []
    ) throws -> RefusedRequest.Remedy? {
        let body = Array("{\"model\":\"m\",\(members)}".utf8)
        return RefusedRequest(body, of: operation, besides: done)?.remedy(
            after: UpstreamRefusal(Array(words.utf8)), status: status)
    }

    @Test(arguments: [
        ("top_k", true), ("'top_k'", true), ("top_k[0]", true), ("[top_k]", true), ("{top_k}", true),
        ("`top_k`", true), ("@top_k/", true), ("top_k: x", true), ("stop_k, top_k", true), ("Top_K", true),
        ("top_k2", false), ("top_k_", false), ("top_kz", false), ("atop_k", false), ("9top_k", false), ("top_", false),
    ])
    func memberIsNamedByAWholeWord(_ words: String, _ isNamed: Bool) {
        #expect(UpstreamRefusal(Array(words.utf8)).names("top_k") == isNamed)
    }

    @Test func eachRepairIsTriedOnce() throws {
        let words = Self.openAI("temperature is not supported, top_p is not supported")
        let members = #""temperature":1,"top_p":1"#
        for done in [[.topP], [.topP, .temperature]] as [[Repair]] {
            let remedy = try remedy(
                words, 400, .createChatCompletion, members, besides: done.reduce(into: []) { $0.insert($1) })
            if case .body(_, .temperature)? = remedy { #expect(done == [.topP]) } else { #expect(done.count == 2) }
        }
    }

    @Test(arguments: [
        (404, "", true), (405, "", true), (501, "", true),
        (400, #"{"error":"Unexpected endpoint or method. (POST /v1/messages/count_tokens)"}"#, true),
        (400, #"{"error":{"message":"count_tokens is not supported"}}"#, true),
        (400, #"{"error":{"message":"messages: at least one message is required"}}"#, false),
        (400, #"{"error":{"message":"unknown model"}}"#, false), (500, "", false), (401, "", false),
    ])
    func upstreamWithoutTokenCountsIsRecognised(_ status: Int, _ words: String, _ isWithout: Bool) throws {
        let remedy = try remedy(words, status, .countMessageTokens, #""messages":[]"#)
        if case .estimate? = remedy { #expect(isWithout) } else { #expect(!isWithout) }
        let compaction = try self.remedy(words, status, .compactResponse, #""input":"Hi""#)
        if case .noRoute? = compaction { #expect(isWithout) } else { #expect(!isWithout) }
    }
}
