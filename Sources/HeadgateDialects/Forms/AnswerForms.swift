/// An API with two forms of an answer: whole, and a stream.
package enum AnswerFormat: Sendable {
    case chat
    /// The legacy completions.
    case completion
    case messages
    case responses
}

/// Makes one form of an answer out of the other, within one API. Members that are not known go along; what cannot be
/// told in the other form, or is not complete, is not made into it.
package enum AnswerForms {
    /// The stream of a whole answer, each part of it in one piece, with its usage.
    ///
    /// - Returns: nil for what is no complete answer of the format.
    package static func stream(of document: [UInt8], in format: AnswerFormat) -> [UInt8]? {
        guard let answer = (try? JSONValue(document))?.object else { return nil }
        return switch format {
        case .chat: ChatForms.stream(of: answer, isLegacy: false)
        case .completion: ChatForms.stream(of: answer, isLegacy: true)
        case .messages: MessagesForms.stream(of: answer)
        case .responses: ResponsesForms.stream(of: answer)
        }
    }

    /// The whole answer of a stream that the gateway has written: each event's data on one line.
    ///
    /// - Returns: nil for what is no complete stream of the format, or has no usage where a whole answer has one.
    package static func document(of stream: [UInt8], in format: AnswerFormat) -> [UInt8]? {
        guard let events = EventLines.events(in: stream) else { return nil }
        let answer: JSONObject? =
            switch format {
            case .chat: ChatForms.document(of: events, isLegacy: false)
            case .completion: ChatForms.document(of: events, isLegacy: true)
            case .messages: MessagesForms.document(of: events)
            case .responses: ResponsesForms.document(of: events)
            }
        return answer.map { JSONValue.object($0).bytes }
    }
}

/// The events of a stream that the gateway has written itself.
enum EventLines {
    private static let prefix = Array("data: ".utf8)
    private static let done = Array("[DONE]".utf8)

    /// Their documents, without `[DONE]`; nil where one is no JSON object.
    static func events(in stream: [UInt8]) -> [JSONObject]? {
        var events: [JSONObject] = []
        for line in stream.split(separator: 0x0A) where line.starts(with: prefix) {
            let data = line.dropFirst(prefix.count)
            if data.elementsEqual(done) { continue }
            guard let event = (try? JSONValue(Array(data)))?.object else { return nil }
            events.append(event)
        }
        return events
    }

    static func append(_ event: JSONObject, to output: inout [UInt8]) {
        output.append(contentsOf: prefix)
        event.append(to: &output)
        output.append(contentsOf: "\n\n".utf8)
    }

    /// With its type as its name.
    static func appendTyped(_ event: JSONObject, to output: inout [UInt8]) {
        output.append(contentsOf: "event: \(event["type"]?.string ?? "")\n".utf8)
        append(event, to: &output)
    }

    static func appendDone(to output: inout [UInt8]) { output.append(contentsOf: "data: [DONE]\n\n".utf8) }
}

extension JSONObject {
    func without(_ names: String...) -> JSONObject { JSONObject(members.filter { !names.contains($0.name) }) }

    func with(_ name: String, _ value: JSONValue) -> JSONObject {
        var object = self
        object[name] = value
        return object
    }
}
