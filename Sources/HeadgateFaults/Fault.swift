// HeadgateFaults: intentional faults, for the gateway and for the library for apps. The module has only values and
// decisions: ServerSentEvents damages events, and the code that has a body damages it.

/// The injected fault of one exchange.
package struct Fault: Sendable, Hashable {
    /// The receiver of the damaged response.
    package enum Receiver: String, Sendable, CaseIterable {
        /// The gateway, as if the fault came from the upstream. The client sees the gateway's reaction.
        case gateway
        /// The client, as if the fault came from the gateway.
        case client
    }

    /// How a stream ends too early.
    package enum End: Sendable, Hashable {
        /// The connection is closed.
        case cut
        /// The connection is reset; if no event is to precede the end, before the head.
        case reset
        /// The connection stays open, but no more data arrives.
        case stall
    }

    package var receiver = Receiver.gateway
    /// A status from 400 to 599 that replaces the response.
    package var status: Int?
    /// The seconds of a Retry-After header, which is sent with ``status``.
    package var retryAfter: Int?
    package var headDelay: Duration?
    /// The delay between the head and the first byte of the body.
    package var contentDelay: Duration?
    package var end: End?
    /// The number of events before ``end``.
    package var eventsBeforeEnd = 0
    /// The number of bytes of the body that are sent per second.
    package var rate: Int?
    /// The size of each piece in which the body is sent, in bytes.
    package var pieceSize: Int?
    /// The position of the event that is not JSON, counted from 1.
    package var malformedEvent: Int?
    /// Whether an error with status 200 replaces the response.
    package var isErrorIn200 = false
    package var contentType: String?

    package init() {}

    /// Whether the fault needs no response of the upstream.
    package var replacesResponse: Bool { status != nil || isErrorIn200 || isResetBeforeHead }

    package var isResetBeforeHead: Bool { end == .reset && eventsBeforeEnd == 0 }

    /// The pace of a slow body, as a number of bytes and the pause after them; nil for a body at full speed.
    package var drip: (octets: Int, pause: Duration)? {
        rate.map { (max(1, $0 / Fault.dripsPerSecond), .seconds(1) / min($0, Fault.dripsPerSecond)) }
    }

    private static let dripsPerSecond = 20

    /// Returns the error that replaces a response, as JSON.
    ///
    /// - Parameters:
    ///   - isAnthropic: Whether the error has Anthropic's format instead of OpenAI's.
    ///   - injector: The name of the code that injects the fault, for the message.
    package static func error(isAnthropic: Bool, by injector: String) -> [UInt8] {
        let error = #"{"message":"This error was injected by \#(injector).","#
        let document =
            isAnthropic
            ? #"{"type":"error","error":\#(error)"type":"api_error"}}"#
            : #"{"error":\#(error)"type":"server_error","code":"fault_injected"}}"#
        return Array(document.utf8)
    }
}
