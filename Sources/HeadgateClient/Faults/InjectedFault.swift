internal import HeadgateFaults

/// A fault in the response to a request. Names and meanings are those of the gateway's `fault_injection`, from the
/// client's perspective.
public enum InjectedFault: Sendable, Hashable {
    /// An error with this status, from 400 to 599, instead of a response. `Retry-After` is in seconds.
    case status(Int, retryAfter: Int? = nil)
    /// An error with status 200, as some servers send it.
    case errorIn200
    /// The head of the response is delayed.
    case delayHead(Duration)
    /// The body is delayed after its head.
    case delayContent(Duration)
    /// The connection is closed after this many events.
    case cutAfterEvents(Int)
    /// The connection is reset after this many events; with 0, before the head.
    case resetAfterEvents(Int)
    /// No more data arrives after this many events, until the reader cancels or times out.
    case stallAfterEvents(Int)
    /// The body arrives at this rate, in bytes per second.
    case drip(octetsPerSecond: Int)
    /// The body arrives in pieces of this size, in bytes.
    case split(octets: Int)
    /// The data of an event, counted from 1, is invalid JSON: its first brace is missing.
    case malformedJSON(event: Int)
    /// The response has this media type.
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
