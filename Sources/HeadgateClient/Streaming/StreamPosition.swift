internal import HTTPTypes
internal import HeadgateHTTP

/// A reader's position in a streamed response that the server stores for clients that reconnect.
///
/// Headgate stores streams for models with `on_disconnect: detach`, by default for ten minutes. An app can store the
/// position, and continue with ``ChatOperations/resume(_:route:choices:)`` after a restart.
public struct StreamPosition: Sendable, Hashable, Codable {
    /// The `x-request-id` of the response.
    public let streamID: String
    /// Id of the last event that was read.
    public let lastEventID: String
    /// State that the rest of the stream depends on; nil for a position created from ids only.
    var progress: Progress?

    struct Progress: Sendable, Hashable, Codable {
        /// Indexes of the choices that have a finish reason.
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
        /// Calls of a Responses stream; nil in a position that an earlier version stored.
        var calls: Calls?
    }

    /// Calls of a Responses stream so far, by their indexes in its output.
    struct Calls: Sendable, Hashable, Codable {
        /// Calls that have begun.
        var begun: Set<Int> = []
        /// Calls with received arguments.
        var inPieces: Set<Int> = []
    }

    /// Creates a position from stored ids. A position that was encoded as a whole has more: the response's id, its
    /// model and its calls, which only earlier events contain. It also knows whether the end is missing.
    public init(streamID: String, lastEventID: String) {
        self.streamID = streamID
        self.lastEventID = lastEventID
    }
}

extension StreamPosition {
    /// Returns whether both positions have the same stream and event.
    public static func == (left: StreamPosition, right: StreamPosition) -> Bool {
        left.streamID == right.streamID && left.lastEventID == right.lastEventID
    }

    /// Hashes the stream and the event.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(streamID)
        hasher.combine(lastEventID)
    }
}

/// Resumption of a stream after its connection broke.
struct StreamResumption: Sendable {
    /// Maximum number of attempts without new content.
    var times = 0
    /// Position at which a stream that began earlier is continued; nil for a new stream.
    var position: StreamPosition?
    let send: @Sendable (StreamPosition) async throws -> (HTTPResponse, HTTPBody?)

    /// Waits before an attempt. The first attempt is immediate. Before later ones, the server might need time to start.
    func wait(before attempt: Int) async throws {
        if attempt > 1 { try await Task.sleep(nanoseconds: 250_000_000 << UInt64(min(attempt - 2, 4))) }
    }
}
