// HeadgateFaults: what goes wrong on purpose, for the gateway and for the library for apps. Values and decisions alone:
// ServerSentEvents damages events, and bodies are damaged by those who have them.

/// Injected fault of one exchange.
package struct Fault: Sendable, Hashable {
    /// Who gets the damaged response.
    package enum Receiver: String, Sendable, CaseIterable {
        /// The gateway, as if it came from the upstream: the client sees the gateway's reaction.
        case gateway
        /// The client, as if from the gateway.
        case client
    }

    /// How a stream ends before its time.
    package enum End: Sendable, Hashable {
        /// The connection is closed.
        case cut
        /// The connection is reset; after no event, before the head.
        case reset
        /// Nothing more comes.
        case stall
    }

    package var receiver = Receiver.gateway
    /// Status from 400 to 599, instead of a response.
    package var status: Int?
    /// Seconds, with ``status``.
    package var retryAfter: Int?
    package var headDelay: Duration?
    /// Delay between the head and the first byte of the body.
    package var contentDelay: Duration?
    package var end: End?
    /// With ``end``.
    package var eventsBeforeEnd = 0
    /// Bytes a second of the body.
    package var rate: Int?
    /// Bytes of the body in one piece.
    package var pieceSize: Int?
    /// Index of the event that is not JSON, counted from 1.
    package var malformedEvent: Int?
    /// Whether an error is sent with status 200, instead of a response.
    package var isErrorIn200 = false
    package var contentType: String?

    package init() {}

    /// Whether no response of the upstream is needed for it.
    package var replacesResponse: Bool { status != nil || isErrorIn200 || isResetBeforeHead }

    package var isResetBeforeHead: Bool { end == .reset && eventsBeforeEnd == 0 }

    /// Pace of a slow body: a number of bytes, and then a pause; nil for a body at full speed.
    package var drip: (octets: Int, pause: Duration)? {
        rate.map { (max(1, $0 / Fault.dripsPerSecond), .seconds(1) / min($0, Fault.dripsPerSecond)) }
    }

    private static let dripsPerSecond = 20

    /// Returns the error that replaces a response, as JSON.
    ///
    /// - Parameters:
    ///   - isAnthropic: whether it has the format of Anthropic's errors instead of OpenAI's.
    ///   - injector: the injector's name, for the message.
    package static func error(isAnthropic: Bool, by injector: String) -> [UInt8] {
        let error = #"{"message":"This error was injected by \#(injector).","#
        let document =
            isAnthropic
            ? #"{"type":"error","error":\#(error)"type":"api_error"}}"#
            : #"{"error":\#(error)"type":"server_error","code":"fault_injected"}}"#
        return Array(document.utf8)
    }
}
