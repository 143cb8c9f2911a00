package import HTTPTypes

/// Request to an upstream, as it is about to be sent.
package struct UpstreamRequest {
    /// Head that all requests of its kind have in common, encoded once.
    package var head: OutgoingHead
    /// Headers of this request only, after those of the head: each line with the line end before it.
    package private(set) var fieldLines: [UInt8] = []
    /// Body; nil for a request without one, which is not the same as an empty one.
    package var body: OutgoingBody?
    package let operationID: String
    /// Minimum time limit of the response's head in nanoseconds, whatever the transport's own deadline is.
    package var patience: UInt64 = 0

    package init(_ head: OutgoingHead, body: [UInt8]?, operationID: String) {
        self.head = head
        self.body = body.map(OutgoingBody.bytes)
        self.operationID = operationID
    }

    package init(_ head: OutgoingHead, streaming body: StreamedBody, operationID: String) {
        self.head = head
        self.body = .stream(body)
        self.operationID = operationID
    }

    /// Adds a header to this request only, such as `traceparent`. Headers of the framing and of the connection are
    /// ignored, since the transport sets them.
    package mutating func append(_ field: HTTPField) {
        if !HeadEncoder.isOfFraming(field.name) { HeadEncoder.append(field, to: &fieldLines) }
    }

    /// Head with the headers of this request, as HTTPTypes; converted each time.
    package var wholeHead: HTTPRequest {
        var request = head.request
        for line in fieldLines.split(separator: 0x0A) {
            let name = line.prefix { $0 != 0x3A }
            let value = line.dropFirst(name.count + 2).prefix { $0 != 0x0D }
            guard let name = HTTPField.Name(String(decoding: name, as: UTF8.self)) else { continue }
            request.headerFields.append(HTTPField(name: name, value: String(decoding: value, as: UTF8.self)))
        }
        return request
    }
}

/// Body of a request to an upstream.
package enum OutgoingBody {
    case bytes([UInt8])
    /// Body that is sent as it arrives.
    case stream(StreamedBody)
}

/// Streamed body of a request, which can be sent only once: its source is started when there is a connection. If the
/// source fails, the connection is closed before the request is complete. Loop-confined.
package final class StreamedBody {
    package let source: any BodySource
    /// Length in bytes; nil if it is unknown, so that the body is sent in chunks.
    package let length: Int?

    package init(_ source: any BodySource, length: Int?) {
        self.source = source
        self.length = length
    }
}

/// Response of an upstream: the final head, and the body as it arrives.
package struct UpstreamResponse {
    package let head: ResponseHead
    package var body: HTTPBody?
    /// Status received by the transport; nil if middleware responded without it.
    package let receivedStatus: Int?
    /// Whether the response began before the upstream's. The client gets its head at once.
    package var isEarly = false

    /// Creates a response of middleware.
    package init(_ head: ResponseHead, _ body: HTTPBody?, receivedStatus: Int? = nil) {
        self.head = head
        self.body = body
        self.receivedStatus = receivedStatus
    }

    /// Creates a response received by a transport.
    package init(received head: ResponseHead, _ body: HTTPBody?) {
        self.init(head, body, receivedStatus: head.status)
    }
}
