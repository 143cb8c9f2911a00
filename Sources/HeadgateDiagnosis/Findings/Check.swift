/// All checks, in the order of the report.
package enum Check: String, Sendable, CaseIterable {
    case reachable
    case gateway
    case ready
    case clock
    case key
    case wrongKey = "wrong_key"
    case models
    case answer
    case status
    case contentType = "content_type"
    case caching
    case framing
    case compression
    case firstEvent = "first_event"
    case gaps
    case buffering
    case json
    case utf8
    case usage
    case end
    case addedDelay = "added_delay"
    case cancellation
    case errors
    case traces
    case keyCommands = "key_commands"

    package var title: String {
        switch self {
        case .reachable: "reachable"
        case .gateway: "a Headgate"
        case .ready: "ready"
        case .clock: "clocks agree"
        case .key: "key accepted"
        case .wrongKey: "wrong key refused"
        case .models: "models listed"
        case .answer: "whole answer"
        case .status: "stream opened"
        case .contentType: "content type"
        case .caching: "not cached"
        case .framing: "framing"
        case .compression: "not compressed"
        case .firstEvent: "first event"
        case .gaps: "gaps"
        case .buffering: "not buffered"
        case .json: "every event JSON"
        case .utf8: "UTF-8 intact"
        case .usage: "usage sent"
        case .end: "end marked"
        case .addedDelay: "proxy adds little"
        case .cancellation: "cancelling works"
        case .errors: "errors in form"
        case .traces: "traces taken"
        case .keyCommands: "keys from commands"
        }
    }

    /// The reason why the check matters, in one sentence.
    package var why: String {
        switch self {
        case .reachable:
            "Nothing works before the address resolves, accepts connections and, for https, proves who it is."
        case .gateway: "Another program on this address would explain everything below."
        case .ready: "A gateway that is draining or starting refuses requests."
        case .clock: "Keys with an expiry and TLS certificates are judged by the clock."
        case .key: "Without a key that the gateway knows, every request is refused."
        case .wrongKey: "Whoever reaches a gateway that takes any key spends its owner's money."
        case .models: "Apps fill their model pickers from this list."
        case .answer: "If a plain answer fails, the upstream or its key is at fault, and not streaming."
        case .status: "A stream that is refused has no events to look at."
        case .contentType: "SDKs and browsers read events only from text/event-stream."
        case .caching: "A cache in between may hold a stream back, or give one person's answer to another."
        case .framing:
            "A Content-Length means that somebody waited for the whole answer; without any framing a cut looks like "
                + "an end."
        case .compression: "Compressors hold small events back, and some clients cannot read a compressed stream."
        case .firstEvent: "The time until something appears is what people feel."
        case .gaps: "Proxies and load balancers cut connections that are silent for long, often after 60 s."
        case .buffering: "A stream that arrives in bursts is not a stream: people wait, then get everything at once."
        case .json: "One event that is not JSON makes SDKs raise in the middle of an answer."
        case .utf8: "A character torn apart between two events can never be put together again."
        case .usage: "Without the token counts, costs cannot be counted."
        case .end: "Only the end marker tells a whole answer from one that was cut off."
        case .addedDelay: "What stands in front of the gateway should cost next to nothing."
        case .cancellation: "An answer that nobody reads any more still costs tokens, until the gateway hears of it."
        case .errors: "SDKs turn errors into exceptions by their JSON; a proxy's HTML page tells an app nothing."
        case .traces: "A collector that takes no spans costs no request anything, and so is noticed by nobody."
        case .keyCommands: "A command that cannot be run leaves its upstream without a key."
        }
    }
}
