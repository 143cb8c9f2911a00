internal import HTTPTypes

// Errors of requests that resume a stream.
extension GatewayError {
    /// One error for both unknown streams and those of another key.
    package static let unknownStream = GatewayError.invalidRequest(
        404,
        "There is no stream with that id for this key: its model has no 'on_disconnect: detach', it has expired or was "
            + "stopped, or the gateway was restarted. Send the request again.",
        code: "stream_not_found", parameter: "request_id", cause: .unknownResponse)

    package static func eventsDropped(first: Int) -> GatewayError {
        .invalidRequest(
            410,
            "The next events are no longer kept: the first one that is has the id \(first). Send the request again.",
            code: "events_dropped", parameter: "last-event-id", cause: .unknownResponse)
    }

    package static func unknownEvent(last: Int) -> GatewayError {
        .invalidRequest(
            400, "The stream has no event with that id yet: the last one has the id \(last).",
            code: "invalid_last_event_id", parameter: "last-event-id")
    }

    package static let unclearEvent = GatewayError.invalidRequest(
        400, "The id of the last event must be a whole number, as it stands in the stream's 'id:' lines.",
        code: "invalid_last_event_id", parameter: "last-event-id")

    /// Sent as the last event of a stream.
    package static let streamBufferFull = GatewayError(
        503, type: "server_error", code: "stream_buffer_full",
        message: "Nobody was reading this stream, and its buffer is full: it was ended here, the text is not complete.",
        cause: .cancelled)

    /// Sent as the last event of a stream.
    package static let streamStopped = GatewayError(
        503, type: "server_error", code: "stream_stopped",
        message: "This stream was stopped by its client: the text is not complete.", cause: .cancelled)

    /// Sent as the last event of a stream that another gateway has read.
    package static let streamLost = GatewayError(
        410, type: "server_error", code: "stream_lost",
        message:
            "The gateway that was reading this stream is not heard of any more: the text is not complete, and no more "
            + "will come. Send the request again.",
        cause: .storeFailed)

    /// Sent as the last event of a stream that another gateway reads.
    package static let streamOutOfReach = GatewayError(
        503, type: "server_error", code: "stream_out_of_reach",
        message:
            "Another gateway reads this stream, and what they share does not answer: the text is not complete. Ask for "
            + "the rest again, with the same 'last-event-id'.",
        cause: .storeFailed)

    package static let streamStoreAway = GatewayError(
        503, type: "server_error", code: "stream_store_unavailable",
        message:
            "This gateway does not have the stream, and where it would find those of others does not answer. Ask again "
            + "in a moment.",
        cause: .storeFailed, headerFields: [.retryAfter: "1"])

    /// Sent as the last event of a stream that several clients share.
    package static let readerFellBehind = GatewayError(
        503, type: "server_error", code: "reader_too_slow",
        message:
            "This stream is shared with clients that read it much faster, and it is too long to be kept for a slower "
            + "one: it was ended here, the text is not complete. Send the request again.",
        cause: .cancelled)
}
