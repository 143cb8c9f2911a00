// HeadgateFaults: what goes wrong on purpose, for the gateway and for the library for apps. Values and decisions alone:
// ServerSentEvents damages events, and bodies are damaged by those who have them.

/// What goes wrong on purpose with one exchange.
package struct Fault: Sendable, Hashable {
    /// Who gets the damaged response.
    package enum Receiver: String, Sendable, CaseIterable {
        /// The gateway, as if from the upstream: what it makes of that is what the client sees.
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
    /// From 400 to 599, in place of a response.
    package var status: Int?
    /// Seconds, with ``status``.
    package var retryAfter: Int?
    package var headDelay: Duration?
    /// Between the head and the first octet of the body.
    package var contentDelay: Duration?
    package var end: End?
    /// With ``end``.
    package var eventsBeforeEnd = 0
    /// Octets a second of the body.
    package var rate: Int?
    /// Octets of the body in one piece.
    package var pieceSize: Int?
    /// Which event is no JSON, counted from 1.
    package var malformedEvent: Int?
    /// Whether an error comes with the status 200, in place of a response.
    package var isErrorIn200 = false
    package var contentType: String?

    package init() {}

    /// Whether no response of the upstream is needed for it.
    package var replacesResponse: Bool { status != nil || isErrorIn200 || isResetBeforeHead }

    package var isResetBeforeHead: Bool { end == .reset && eventsBeforeEnd == 0 }

    /// How a slow body comes: so many octets at once, and then a pause; nil for one that is not slow.
    package var drip: (octets: Int, pause: Duration)? {
        rate.map { (max(1, $0 / Fault.dripsPerSecond), .seconds(1) / min($0, Fault.dripsPerSecond)) }
    }

    private static let dripsPerSecond = 20

    /// The error that stands for a response, as JSON.
    ///
    /// - Parameters:
    ///   - isAnthropic: whether it has the form of Anthropic's errors, not of OpenAI's.
    ///   - injector: whose fault it is, for its message.
    package static func error(isAnthropic: Bool, by injector: String) -> [UInt8] {
        let error = #"{"message":"This error was injected by \#(injector).","#
        let document =
            isAnthropic
            ? #"{"type":"error","error":\#(error)"type":"api_error"}}"#
            : #"{"error":\#(error)"type":"server_error","code":"fault_injected"}}"#
        return Array(document.utf8)
    }
}
