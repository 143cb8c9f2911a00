internal import JSONBytes
internal import ServerSentEvents

/// Documents in a stream's events: one per event, or one that an upstream has spread over several lines or events.
struct EventDocuments {
    /// Whether an event or a comment has arrived.
    var hasBegun = false

    private let errors: UpstreamErrorReading
    /// Maximum bytes of one document.
    private let limit: Int
    /// Received part of a JSON document that the upstream spread over several events.
    private var held: [UInt8] = []
    private var heldEvents = 0

    private static let maximumHeldEvents = 8
    /// Maximum bytes of a document that is read in one pass regardless of its content: ten milliseconds on most
    /// machines.
    private static let readableAtOnce = 4 << 20
    private static let repairable = 1 << 20

    init(errors: UpstreamErrorReading, limit: Int) {
        self.errors = errors
        self.limit = limit
    }

    /// Whether a document has begun in an earlier event.
    var isHolding: Bool { !held.isEmpty }
    var heldBytes: Int { held.count }

    static func isDone(_ data: UnsafeRawBufferPointer) -> Bool {
        data.first == UInt8(ascii: "[") && data.starts(with: "[DONE]".utf8)
    }

    mutating func take(
        _ event: ServerSentEventView, for dialect: some StreamTransform, into output: inout [UInt8]
    ) throws {
        hasBegun = true
        if EventDocuments.isDone(event.data) {
            guard held.isEmpty else { throw EventAssembler.Decided(.failed(.invalidEvent)) }
            return try dialect.receiveDone(into: &output)
        }
        let name = EventName(event)
        if held.isEmpty {
            switch event.data.first(where: { $0 > 0x20 }) {
            case UInt8(ascii: "{")?: break
            case nil: return  // Empty data keeps a connection alive and says nothing.
            default:
                if name == .foreign, !dialect.namesEvents || EventName.isSignOfLife(event) { return }
            }
        }
        if event.dataLineCount > 1 || !held.isEmpty {
            try join(event.data, name, for: dialect, into: &output)
        } else {
            try relay(event.data, name, for: dialect, into: &output)
        }
    }

    /// Processes a document that arrived on several lines or in several events.
    private mutating func join(
        _ data: UnsafeRawBufferPointer, _ name: EventName, for dialect: some StreamTransform, into output: inout [UInt8]
    ) throws {
        var document = held
        held = []
        guard data.count <= limit - document.count else { throw EventAssembler.Decided(.failed(.oversizeEvent)) }
        document.append(contentsOf: data)
        JSONCompaction.joinLines(&document)
        try document.withUnsafeBytes { try relay($0, name, for: dialect, into: &output) }
    }

    private mutating func relay(
        _ document: UnsafeRawBufferPointer, _ name: EventName, for dialect: some StreamTransform,
        into output: inout [UInt8]
    ) throws {
        guard document.count <= EventDocuments.readableAtOnce || EventDocuments.isLight(document) else {
            throw EventAssembler.Decided(.failed(.oversizeEvent))
        }
        do {
            try dialect.relay(document, name, into: &output)
            heldEvents = 0
        } catch let error as JSONError {
            if name == .error { throw EventAssembler.Decided(.failed(errors.readFailure(document))) }
            switch error.kind {
            case .endOfInput: try hold(document)
            case .invalidUTF8 where document.count <= EventDocuments.repairable:
                // This cannot recur, because the repaired text is valid UTF-8.
                let repaired = UTF8Sequence.repaired(document)
                try repaired.withUnsafeBytes { try relay($0, name, for: dialect, into: &output) }
            // Gemini puts its errors into an array.
            default: throw EventAssembler.Decided(.failed(errors.read(document) ?? .invalidEvent))
            }
        }
    }

    /// Returns whether a long document is read as fast as a short one, because it is mostly one long text, such as an
    /// image in base64. An event is read in one pass, and blocks the other requests of its loop meanwhile.
    private static func isLight(_ document: UnsafeRawBufferPointer) -> Bool {
        JSONWeight.stops(in: document) <= readableAtOnce / 8
    }

    private mutating func hold(_ document: UnsafeRawBufferPointer) throws {
        heldEvents += 1
        guard heldEvents <= EventDocuments.maximumHeldEvents else {
            throw EventAssembler.Decided(.failed(.invalidEvent))
        }
        held = Array(document)
    }
}

/// Kind of an event's data, by the event's name.
enum EventName {
    case chunk, error, foreign

    init(_ event: ServerSentEventView) {
        if event.name.isEmpty || event.isNamed("message") {
            self = .chunk
        } else {
            self = event.isNamed("error") ? .error : .foreign
        }
    }

    /// Whether the event only shows that the connection is alive; its data can be anything.
    static func isSignOfLife(_ event: ServerSentEventView) -> Bool {
        event.isNamed("ping") || event.isNamed("keepalive") || event.isNamed("heartbeat")
    }
}
