import HTTPTypes
import HeadgateConfiguration
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Clients of one dialect in front of upstreams of one format.
struct FaultLane: Sendable, CustomTestStringConvertible {
    enum Client: String, Sendable, CaseIterable {
        case chat, responses, messages, ollama

        var path: String {
            switch self {
            case .chat: "/v1/chat/completions"
            case .responses: "/v1/responses"
            case .messages: "/v1/messages"
            case .ollama: "/api/chat"
            }
        }

        func body(stream: Bool) -> String {
            let conversation = #""messages":[{"role":"user","content":"hi"}]"#
            let rest =
                switch self {
                case .chat, .ollama: conversation
                case .responses: #""store":false,"input":"hi""#
                case .messages: #""max_tokens":9,\#(conversation)"#
                }
            return #"{"model":"m","stream":\#(stream),\#(rest)}"#
        }

        /// Returns whether the stream ends as a complete one.
        func isWhole(_ text: String) -> Bool {
            switch self {
            case .chat: text.contains("data: [DONE]")
            case .responses: text.contains("response.completed") || text.contains("data: [DONE]")
            case .messages: text.contains("message_stop")
            case .ollama: text.contains(#""done":true"#)
            }
        }

        /// Returns whether the stream ends with an error.
        func isBroken(_ text: String) -> Bool {
            switch self {
            case .chat: text.contains(#"data: {"error":{"#)
            case .responses: text.contains("event: response.failed\n")
            case .messages: text.contains("event: error\n")
            case .ollama: text.split(separator: "\n").last?.hasPrefix(#"{"error":""#) == true
            }
        }
    }

    let client: Client
    let upstream: FaultFormat

    var isNative: Bool { client.rawValue == upstream.rawValue }
    var testDescription: String { "\(client) over \(upstream)" }

    static let all = Client.allCases.flatMap { client in
        FaultFormat.allCases.map { FaultLane(client: client, upstream: $0) }
    }

    /// Creates a gateway with one upstream for each plan. If `breaks`, the first failure opens a target's breaker.
    func gateway(_ plans: [PlannedTransport.Plan], breaks: Bool = true) -> RoutedGateway {
        RoutedGateway(plans.map { [$0] }) { model, upstreams in
            for index in upstreams.indices {
                upstreams[index].speaks = [upstream.spoken]
                if breaks {
                    model.targets[index].breaker = BreakerConfiguration(failures: 1, cooldown: .seconds(3600))
                }
            }
        }
    }

    func ask(_ gateway: RoutedGateway, stream: Bool = true) async -> InProcessGateway.Response {
        await gateway.running.ask(.post, client.path, body: client.body(stream: stream))
    }
}

/// Upstream responses in one format.
enum FaultFormat: String, Sendable, CaseIterable {
    case chat, responses, messages

    typealias Plan = PlannedTransport.Plan

    var spoken: SpokenFormat {
        switch self {
        case .chat: .chat
        case .responses: .responses
        case .messages: .messages
        }
    }

    /// Bytes before the first content.
    var beginning: String {
        switch self {
        case .chat: Plan.role
        case .responses:
            Typed.events(
                Typed.created, Typed.inProgress,
                #"{"type":"response.output_item.added","sequence_number":2,"output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"in_progress","content":[]}}"#,
                #"{"type":"response.content_part.added","sequence_number":3,"item_id":"msg_1","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}}"#
            )
        case .messages: Typed.events(Typed.start, Typed.blockStart)
        }
    }

    func text(_ text: String) -> String {
        switch self {
        case .chat: Plan.content(text)
        case .responses: Typed.events(Typed.outputText(text, 4))
        case .messages: Typed.events(Typed.text(text))
        }
    }

    var end: String {
        switch self {
        case .chat: Plan.finish + Plan.done
        case .responses:
            Typed.events(
                #"{"type":"response.output_item.done","sequence_number":5,"output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"B","annotations":[]}]}}"#,
                Typed.completed)
        case .messages: Typed.events(Typed.blockStop, Typed.messageDelta, Typed.messageStop)
        }
    }

    var error: String {
        switch self {
        case .chat: "data: {\"error\":{\"message\":\"no\",\"type\":\"server_error\"}}\n\n"
        case .responses:
            Typed.events(#"{"type":"error","code":"server_error","message":"no","param":null,"sequence_number":9}"#)
        case .messages: Typed.events(#"{"type":"error","error":{"type":"api_error","message":"no"}}"#)
        }
    }

    /// Terminal event of a failed response, which only the Responses API has.
    static let failedResponse = Typed.events(
        Typed.state("failed", "failed", 9)
            .replacing(#""error":null"#, with: #""error":{"code":"server_error","message":"no"}"#))

    /// A whole stream whose text is `B`.
    var good: Plan { Plan(headerFields: Plan.events, chunks: [beginning, text("B"), end]) }

    /// A document whose text is `B`.
    var document: String {
        switch self {
        case .chat:
            #"{"id":"c","object":"chat.completion","created":1,"model":"inner","choices":[{"index":0,"message":{"role":"assistant","content":"B"},"finish_reason":"stop"}]}"#
        case .responses:
            #"{"id":"resp_1","object":"response","created_at":1,"status":"completed","model":"inner","error":null,"output":[{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"B","annotations":[]}]}],"usage":null}"#
        case .messages:
            #"{"id":"msg_1","type":"message","role":"assistant","model":"inner","content":[{"type":"text","text":"B"}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":12}}"#
        }
    }
}
