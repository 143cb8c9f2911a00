internal import HeadgateFaults

/// Fault injected into the response to a request. Names and meanings are those of the gateway's `fault_injection`, as
/// the client sees them.
public enum InjectedFault: Sendable, Hashable {
    /// An error with this status, from 400 to 599, instead of a response; with `Retry-After` in seconds.
    case status(Int, retryAfter: Int? = nil)
    /// An error with the status 200, as some servers send it.
    case errorIn200
    /// The head of the answer comes later.
    case delayHead(Duration)
    /// The body comes later than its head.
    case delayContent(Duration)
    /// The connection is closed after so many events.
    case cutAfterEvents(Int)
    /// The connection is reset after so many events; with 0 before the head.
    case resetAfterEvents(Int)
    /// Nothing more comes after so many events, until the reader gives up.
    case stallAfterEvents(Int)
    /// The body comes slowly.
    case drip(octetsPerSecond: Int)
    /// The body comes in pieces of this size.
    case split(octets: Int)
    /// The data of an event, counted from 1, is not JSON: the first brace is missing.
    case malformedJSON(event: Int)
    /// The head names this media type.
    case contentType(String)

    /// Applies the fault. Values out of bounds become the nearest allowed ones.
    func apply(to fault: inout Fault) {
        switch self {
        case .status(let status, let seconds):
            fault.status = min(max(400, status), 599)
            fault.retryAfter = seconds.map { max(0, $0) }
        case .errorIn200: fault.isErrorIn200 = true
        case .delayHead(let duration): fault.headDelay = max(.zero, duration)
        case .delayContent(let duration): fault.contentDelay = max(.zero, duration)
        case .cutAfterEvents(let events): (fault.end, fault.eventsBeforeEnd) = (.cut, max(0, events))
        case .resetAfterEvents(let events): (fault.end, fault.eventsBeforeEnd) = (.reset, max(0, events))
        case .stallAfterEvents(let events): (fault.end, fault.eventsBeforeEnd) = (.stall, max(0, events))
        case .drip(let rate): fault.rate = max(1, rate)
        case .split(let octets): fault.pieceSize = max(1, octets)
        case .malformedJSON(let event): fault.malformedEvent = max(1, event)
        case .contentType(let type): fault.contentType = type
        }
    }
}
