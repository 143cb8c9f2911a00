/// Converts events of OpenAI's Responses to pieces of a chat completion.
struct ResponsesPieces: PieceReading {
    private var id = ""
    private var model = ""
    private var created: Int?
    private var calls = StreamPosition.Calls()
    /// Whether calls can have begun before the position at which the reading started.
    private var isMiddle = false
    private(set) var isOver = false

    init() {}

    var hasOwnEnd: Bool { true }

    var beginning: StreamPosition.Beginning? {
        get { .init(id: id, model: model, created: created, calls: isMiddle ? nil : calls) }
        set {
            guard let newValue else { return }
            (id, model, created) = (newValue.id, newValue.model, newValue.created)
            calls = newValue.calls ?? .init()
            isMiddle = newValue.calls == nil
        }
    }

    mutating func piece(of document: [UInt8]) throws -> ChatCompletionChunk? {
        let event = try JSONCoding.decode(ResponsesEvent.self, from: document)
        switch event.type {
        case "response.created", "response.in_progress", "response.queued":
            let isFirst = id.isEmpty
            id = event.response?.id ?? id
            model = event.response?.model ?? model
            created = event.response?.created ?? created
            return chunk(.init(role: isFirst ? .assistant : nil))
        case "response.output_item.added": return chunk(call(that: event))
        case "response.function_call_arguments.delta":
            calls.inPieces.insert(event.outputIndex ?? 0)
            return chunk(arguments(event.delta, of: event))
        case "response.function_call_arguments.done":
            return chunk(haveCome(for: event.outputIndex ?? 0) ? .init() : arguments(event.arguments, of: event))
        case "response.output_text.delta": return chunk(.init(content: event.delta))
        case "response.refusal.delta": return chunk(.init(refusal: event.delta))
        case "response.reasoning_text.delta", "response.reasoning_summary_text.delta":
            return chunk(.init(reasoning: event.delta))
        case "response.completed", "response.incomplete", "response.cancelled":
            isOver = true
            return last(event.response)
        case "response.failed", "error":
            let error = try event.response?.error ?? APIError(member: JSONCoding.decode(JSONValue.self, from: document))
            throw HeadgateClientError.streamFailed(error ?? APIError(message: "The server gave no message."))
        // Events that repeat reported content, and events of later versions.
        default: return chunk(.init())
        }
    }

    func whole(_ body: [UInt8]) throws -> ChatCompletionChunk {
        ChatCompletionChunk(whole: try JSONCoding.decode(ResponsesResponse.self, from: body).completion)
    }

    private mutating func call(that event: ResponsesEvent) -> ChatCompletionChunk.Delta {
        guard let item = event.item, item.type == "function_call" else { return .init() }
        calls.begun.insert(event.outputIndex ?? 0)
        return .init(toolCalls: [.init(index: event.outputIndex, id: item.callID, name: item.name)])
    }

    /// Returns whether the arguments of a call have arrived in pieces. A call that began before the known part is
    /// assumed to have, as nearly all do.
    private func haveCome(for call: Int) -> Bool {
        calls.inPieces.contains(call) || isMiddle && !calls.begun.contains(call)
    }

    private func arguments(_ text: String?, of event: ResponsesEvent) -> ChatCompletionChunk.Delta {
        .init(toolCalls: [.init(index: event.outputIndex, arguments: text)])
    }

    private func last(_ response: ResponsesResponse?) -> ChatCompletionChunk {
        // The last event lists the whole output, wherever the reading began.
        let hasCalls = !calls.begun.isEmpty || response?.output.contains { $0.type == "function_call" } == true
        var chunk = chunk(.init(), finishing: response?.finishReason(hasCalls: hasCalls) ?? .stop)
        chunk.usage = response?.usage
        chunk.additional = response?.additional ?? [:]
        return chunk
    }

    private func chunk(
        _ delta: ChatCompletionChunk.Delta, finishing reason: FinishReason? = nil
    ) -> ChatCompletionChunk {
        ChatCompletionChunk(
            id: id, model: model, choices: [.init(index: 0, delta: delta, finishReason: reason)], usage: nil,
            created: created)
    }
}

/// Members of an event that are used. Which ones are present depends on the type.
private struct ResponsesEvent: Decodable {
    let type: String
    let response: ResponsesResponse?
    let outputIndex: Int?
    let item: ResponsesItem?
    let delta: String?
    let arguments: String?

    enum CodingKeys: String, CodingKey {
        case type, response, item, delta, arguments
        case outputIndex = "output_index"
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        type = try members.decode(String.self, forKey: .type)
        response = try members.decodeIfPresent(ResponsesResponse.self, forKey: .response)
        outputIndex = try members.decodeIfPresent(Int.self, forKey: .outputIndex)
        // Unknown items can have any form.
        item = try? members.decodeIfPresent(ResponsesItem.self, forKey: .item)
        delta = try? members.decodeIfPresent(String.self, forKey: .delta)
        arguments = try? members.decodeIfPresent(String.self, forKey: .arguments)
    }
}
