/// An API whose responses come whole or as a stream.
package enum AnswerFormat: Sendable {
    case chat
    /// Legacy completions.
    case completion
    case messages
    case responses
}

/// Converts responses of one API between their whole and their streamed form. Unknown members are preserved. A response
/// that is incomplete, or that the other form cannot express, is not converted.
package enum AnswerForms {
    /// Returns a whole response as a stream with one event for each part, and its usage.
    ///
    /// - Returns: Nil if it is not a complete response of the format.
    package static func stream(of document: [UInt8], in format: AnswerFormat) -> [UInt8]? {
        guard let answer = (try? JSONValue(document))?.object else { return nil }
        return switch format {
        case .chat: ChatForms.stream(of: answer, isLegacy: false)
        case .completion: ChatForms.stream(of: answer, isLegacy: true)
        case .messages: MessagesForms.stream(of: answer)
        case .responses: ResponsesForms.stream(of: answer)
        }
    }

    /// Returns the whole response of a stream that the gateway wrote, with each event's data on one line.
    ///
    /// - Parameter isStrict: Whether the response must be as complete as one that was sent whole, including usage.
    ///   Otherwise it is assembled from the parts that arrived, for example for an upstream that streams without being
    ///   asked to.
    /// - Returns: Nil if it is not a complete stream of the format.
    package static func document(of stream: [UInt8], in format: AnswerFormat, isStrict: Bool = true) -> [UInt8]? {
        var events = EventReader(stream)
        let answer: JSONObject? =
            switch format {
            case .chat: ChatForms.document(of: &events, isLegacy: false, isStrict: isStrict)
            case .completion: ChatForms.document(of: &events, isLegacy: true, isStrict: isStrict)
            case .messages: MessagesForms.document(of: &events, isStrict: isStrict)
            case .responses: ResponsesForms.document(of: &events, isStrict: isStrict)
            }
        guard let answer, !events.isBroken else { return nil }
        return JSONValue.object(answer).bytes
    }
}

/// Iterates over the event documents of a stream that the gateway wrote, except `[DONE]`.
struct EventReader {
    private var rest: ArraySlice<UInt8>
    /// Whether an event was not a JSON object, which ends the reading.
    private(set) var isBroken = false

    init(_ stream: [UInt8]) { rest = stream[...] }

    mutating func next() -> JSONObject? {
        while !rest.isEmpty, !isBroken {
            let line = rest.prefix { $0 != 0x0A }
            rest = rest[line.endIndex...].dropFirst()
            guard line.starts(with: EventLines.prefix) else { continue }
            let data = line.dropFirst(EventLines.prefix.count)
            if data.elementsEqual(EventLines.done) { continue }
            if let event = (try? JSONValue(Array(data)))?.object { return event }
            isBroken = true
        }
        return nil
    }
}

/// Writes the events of a stream that the gateway creates.
enum EventLines {
    static let prefix = Array("data: ".utf8)
    static let done = Array("[DONE]".utf8)

    static func append(_ event: JSONObject, to output: inout [UInt8]) {
        output.append(contentsOf: prefix)
        event.append(to: &output)
        output.append(contentsOf: "\n\n".utf8)
    }

    /// Appends an event with its type as its name.
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
