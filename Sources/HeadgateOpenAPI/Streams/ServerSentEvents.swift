internal import ServerSentEvents

/// A server-sent event.
public struct ServerSentEvent: Hashable, Sendable {
    /// Last event id of the stream; nil if there is none.
    public var id: String?
    /// Type of the event; nil if it has none.
    public var event: String?
    /// Data of the event, with LF between lines; nil if there is none.
    public var data: String?

    public init(id: String? = nil, event: String? = nil, data: String? = nil) {
        self.id = id
        self.event = event
        self.data = data
    }

    /// Returns the bytes of the event.
    ///
    /// - Throws: `EncodingError` if the id or the type contains a line break, which would begin another field.
    func encoded() throws -> [UInt8] {
        var text = ""
        for (name, value) in [("id", id), ("event", event)] {
            guard let value else { continue }
            guard !value.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) else {
                throw EncodingError.invalidValue(
                    value, .init(codingPath: [], debugDescription: "'\(name)' of an event has no line breaks"))
            }
            text += "\(name): \(value)\n"
        }
        var output = Array(text.utf8)
        if let data {
            Array(data.utf8).withUnsafeBytes { ServerSentEventEncoder.append(data: $0, to: &output) }
        } else {
            output.append(0x0A)
        }
        return output
    }
}

/// An event whose data is JSON.
public struct ServerSentEventWithJSONData<JSONDataType: Sendable & Hashable>: Hashable, Sendable {
    /// Same as in ``ServerSentEvent``.
    public var id: String?
    public var event: String?
    /// Decoded data; nil for an event without data.
    public var data: JSONDataType?

    public init(id: String? = nil, event: String? = nil, data: JSONDataType? = nil) {
        self.id = id
        self.event = event
        self.data = data
    }
}

extension AsyncSequence where Element == ArraySlice<UInt8> {
    /// Returns the events of a stream, regardless of its fragmentation. An incomplete event at the end of the stream is
    /// ignored.
    ///
    /// - Parameter predicate: Returns false for the data of an event that is the end of the stream, such as `[DONE]`.
    public func asDecodedServerSentEvents(
        while predicate: @escaping @Sendable (ArraySlice<UInt8>) -> Bool = { _ in true }
    ) -> DecodedStream<Self, ServerSentEvent> {
        DecodedStream(source: self) { EventParser(while: predicate) { event, _ in event } }
    }

    /// Returns the events of a stream whose data is JSON.
    ///
    /// The predicate is the same as that of ``asDecodedServerSentEvents(while:)``.
    public func asDecodedServerSentEventsWithJSONData<Value: Decodable & Sendable & Hashable>(
        of type: Value.Type = Value.self,
        while predicate: @escaping @Sendable (ArraySlice<UInt8>) -> Bool = { _ in true }
    ) -> DecodedStream<Self, ServerSentEventWithJSONData<Value>> {
        DecodedStream(source: self) {
            EventParser(while: predicate) { event, data in
                ServerSentEventWithJSONData(
                    id: event.id, event: event.event, data: data.isEmpty ? nil : try JSONBody.decode(data))
            }
        }
    }
}

extension AsyncSequence where Element == ServerSentEvent {
    /// Returns the encoded events: one line per field, and a blank line after each event.
    public func asEncodedServerSentEvents() -> EncodedStream<Self> { EncodedStream(source: self) { try $0.encoded() } }
}

extension AsyncSequence {
    /// Returns the encoded events, with their data as JSON on one line.
    public func asEncodedServerSentEventsWithJSONData<Value: Encodable>() -> EncodedStream<Self>
    where Element == ServerSentEventWithJSONData<Value> {
        EncodedStream(source: self) { event in
            let data = try event.data.map { String(decoding: try JSONBody.encode($0), as: UTF8.self) }
            return try ServerSentEvent(id: event.id, event: event.event, data: data).encoded()
        }
    }
}

/// Parses events from bytes until an event is the end.
private final class EventParser<Element>: StreamParser<Element> {
    private var parser = ServerSentEventParser()
    private let predicate: (ArraySlice<UInt8>) -> Bool
    private let make: (ServerSentEvent, _ data: [UInt8]) throws -> Element

    init(
        while predicate: @escaping (ArraySlice<UInt8>) -> Bool,
        _ make: @escaping (ServerSentEvent, _ data: [UInt8]) throws -> Element
    ) {
        self.predicate = predicate
        self.make = make
    }

    override func parse(_ chunk: ArraySlice<UInt8>, into found: inout [Element]) throws {
        try chunk.withUnsafeBytes { bytes in
            try parser.parse(bytes) { view in
                let data = Array(view.data)
                if isOver || !predicate(data[...]) {
                    isOver = true
                    return
                }
                let event = ServerSentEvent(
                    id: view.lastEventID.isEmpty ? nil : String(decoding: view.lastEventID, as: UTF8.self),
                    event: view.name.isEmpty ? nil : String(decoding: view.name, as: UTF8.self),
                    data: String(decoding: data, as: UTF8.self))
                found.append(try make(event, data))
            }
        }
    }
}
