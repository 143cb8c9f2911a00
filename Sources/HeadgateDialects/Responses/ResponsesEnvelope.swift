import JSONBytes

/// Writes the response object, which the first events and the last one of a stream carry.
struct ResponsesEnvelope {
    private let id: String
    private let created: Int
    private let model: String
    private let previousID: String?
    private let conversationID: String?
    private let isKept: Bool
    /// Repeated members of the request, with a comma before each.
    private let echo: [UInt8]

    init(_ context: ResponseContext) {
        id = "resp_\(context.id)"
        created = context.created
        model = context.model
        previousID = context.previousResponseID
        conversationID = context.conversationID
        isKept = context.isKept
        var members = context.echo
        if members.members.isEmpty { members = ResponsesEcho.members(of: members) }
        var echo: [UInt8] = []
        for member in members.members {
            echo.write(",")
            JSONEscaping.append(member.name, to: &echo)
            echo.write(":")
            member.value.append(to: &echo)
        }
        self.echo = echo
    }

    /// Appends the response object.
    ///
    /// - Parameters:
    ///   - items: Complete items in their order.
    ///   - usage: Token counts; nil if they are unknown, or not known yet.
    func append(_ status: ResponsesStatus, _ items: [[UInt8]], _ usage: TokenUsage?, to output: inout [UInt8]) {
        output.write(#"{"id":""#)
        output.write(id)
        output.write(#"","object":"response","created_at":"#)
        output.write(created)
        output.write(#","status":""#)
        output.write(status.word)
        // The creation time stands for the completion time, because a translation has no clock.
        output.write(#"","completed_at":"#)
        if status == .completed { output.write(created) } else { output.write("null") }
        output.write(#","background":false,"error":null,"incomplete_details":"#)
        if case .incomplete(let reason) = status {
            output.write(#"{"reason":""#)
            output.write(reason)
            output.write(#""}"#)
        } else {
            output.write("null")
        }
        output.write(#","model":"#)
        JSONEscaping.append(model, to: &output)
        output.write(#","output":["#)
        for (index, item) in items.enumerated() {
            if index > 0 { output.write(",") }
            output.append(contentsOf: item)
        }
        output.write(#"],"previous_response_id":"#)
        if let previousID { JSONEscaping.append(previousID, to: &output) } else { output.write("null") }
        if let conversationID {
            output.write(#","conversation":"#)
            output.append(contentsOf: ResponseConversation.member(conversationID))
        }
        output.write(#","store":"#)
        output.write(isKept ? "true" : "false")
        output.write(#","truncation":"disabled","usage":"#)
        append(usage, to: &output)
        output.append(contentsOf: echo)
        output.write("}")
    }

    private func append(_ usage: TokenUsage?, to output: inout [UInt8]) {
        guard let usage, usage.input != nil || usage.output != nil else { return output.write("null") }
        let (input, written) = (usage.input ?? 0, usage.output ?? 0)
        output.write(#"{"input_tokens":"#)
        output.write(input)
        output.write(#","input_tokens_details":{"cached_tokens":"#)
        output.write(usage.cachedInput ?? 0)
        output.write(#","cache_write_tokens":"#)
        output.write(usage.cacheWrites ?? 0)
        output.write(#"},"output_tokens":"#)
        output.write(written)
        output.write(#","output_tokens_details":{"reasoning_tokens":"#)
        output.write(usage.reasoning ?? 0)
        output.write(#"},"total_tokens":"#)
        output.write(input.addingReportingOverflow(written).partialValue)
        output.write("}")
    }
}

/// Progress of a response.
enum ResponsesStatus: Equatable {
    case inProgress
    case completed
    case incomplete(reason: String)

    init(_ end: ResponseEnd) {
        switch end {
        case .stop, .stopSequence, .toolCalls: self = .completed
        // The response is incomplete, and clients know no better reason for that.
        case .length, .paused: self = .incomplete(reason: ResponsesItem.outOfTokens)
        case .refused: self = .incomplete(reason: ResponsesItem.filtered)
        }
    }

    var word: String {
        switch self {
        case .inProgress: "in_progress"
        case .completed: "completed"
        case .incomplete: "incomplete"
        }
    }
}
