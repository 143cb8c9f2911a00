internal import HTTPTypes
internal import HeadgateHTTP

/// How far a streamed response has been read, where its server keeps it for clients that come back.
///
/// Headgate does for models with `on_disconnect: detach`, for ten minutes unless its configuration says otherwise. An
/// app may store it, and go on with ``ChatOperations/resume(_:route:choices:)`` after a start.
public struct StreamPosition: Sendable, Hashable, Codable {
    /// The `x-request-id` of the response.
    public let streamID: String
    /// Of the last event that was read.
    public let lastEventID: String

    /// A position that was stored.
    public init(streamID: String, lastEventID: String) {
        self.streamID = streamID
        self.lastEventID = lastEventID
    }
}

/// How a stream goes on after its connection has broken.
struct StreamResumption: Sendable {
    /// How often, without anything new in between.
    var times = 0
    /// Of the stream, where it is known before its head.
    var streamID: String?
    let send: @Sendable (StreamPosition) async throws -> (HTTPResponse, HTTPBody?)

    /// Before the first try the server may still be there; before later ones it may have to start.
    func wait(before attempt: Int) async throws {
        if attempt > 1 { try await Task.sleep(nanoseconds: 250_000_000 << UInt64(min(attempt - 2, 4))) }
    }
}
