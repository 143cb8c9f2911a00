internal import HTTPTypes
internal import HeadgateHTTP

/// How far a streamed response has been read, where its server keeps it for clients that come back.
///
/// Headgate does for models with `on_disconnect: detach`, for ten minutes unless its configuration says otherwise. An
/// app may store it, and go on with ``ChatOperations/resume(_:route:choices:)`` after a start.
public struct StreamPosition: Sendable, Hashable, Codable {
    /// The `x-request-id` of the response.
    public let streamID: String
    /// Id of the last event that was read.
    public let lastEventID: String
    /// State that the rest of the stream depends on; nil for a position created from ids only.
    var progress: Progress?

    struct Progress: Sendable, Hashable, Codable {
        /// Choices that have said why they ended.
        var finished: [Int] = []
        /// Members that a stream sends only at its beginning.
        var beginning: Beginning?
    }

    struct Beginning: Sendable, Hashable, Codable {
        var id: String
        var model: String
        var promptTokens: Int?
        var cachedTokens: Int?
        var created: Int?
        /// Nil in one that an earlier version has stored.
        var calls: Calls?
    }

    /// The calls of a Responses stream so far, by their places in its output.
    struct Calls: Sendable, Hashable, Codable {
        /// Calls that have begun.
        var begun: Set<Int> = []
        /// Calls with received arguments.
        var inPieces: Set<Int> = []
    }

    /// A position that was stored as its ids. One that was encoded as a whole goes on with the response's id, its model
    /// and its calls where only earlier events tell them, and knows whether the end is missing.
    public init(streamID: String, lastEventID: String) {
        self.streamID = streamID
        self.lastEventID = lastEventID
    }
}

extension StreamPosition {
    /// Whether both are the same place.
    public static func == (left: StreamPosition, right: StreamPosition) -> Bool {
        left.streamID == right.streamID && left.lastEventID == right.lastEventID
    }

    /// By both parts of the place.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(streamID)
        hasher.combine(lastEventID)
    }
}

/// How a stream goes on after its connection has broken.
struct StreamResumption: Sendable {
    /// How often, without anything new in between.
    var times = 0
    /// Where it goes on, where it was begun before.
    var position: StreamPosition?
    let send: @Sendable (StreamPosition) async throws -> (HTTPResponse, HTTPBody?)

    /// Before the first try the server may still be there; before later ones it may have to start.
    func wait(before attempt: Int) async throws {
        if attempt > 1 { try await Task.sleep(nanoseconds: 250_000_000 << UInt64(min(attempt - 2, 4))) }
    }
}
