package import HeadgateFaults
import HeadgatePrimitives

/// A member of a fault in rules and requests.
package enum FaultMember: String, CaseIterable, Sendable {
    case status
    case retryAfter = "retry_after"
    case delayHead = "delay_head"
    case delayContent = "delay_content"
    case cutAfterEvents = "cut_after_events"
    case resetAfterEvents = "reset_after_events"
    case stallAfterEvents = "stall_after_events"
    case drip
    case split
    case malformedJSON = "malformed_json"
    case errorIn200 = "error_in_200"
    case contentType = "content_type"
    case towards

    private static let statuses = 400...599
    private static let events = 0...1_000_000
    private static let octets = 1...1_000_000_000

    /// Description of a valid value.
    var expected: String {
        switch self {
        case .status: "a status from 400 to 599"
        case .retryAfter: "seconds from 0 to 86400"
        case .delayHead, .delayContent: DurationText.expected
        case .cutAfterEvents, .resetAfterEvents, .stallAfterEvents: "a number of events from 0 to 1000000"
        case .drip: "bytes a second"
        case .split: "bytes a write"
        case .malformedJSON: "the number of an event, from 1 to 1000000"
        case .errorIn200: "true or false"
        case .contentType: "a media type such as text/html"
        case .towards: alternatives(Fault.Receiver.allCases.map(\.rawValue))
        }
    }

    func read(_ text: String, into fault: inout Fault) throws(InvalidValue) {
        switch self {
        case .status: fault.status = try WholeNumber.parse(text, in: Self.statuses)
        case .retryAfter: fault.retryAfter = try WholeNumber.parse(text, in: 0...86_400)
        case .delayHead: fault.headDelay = try DurationText.parse(text)
        case .delayContent: fault.contentDelay = try DurationText.parse(text)
        case .cutAfterEvents: try Self.read(text, .cut, into: &fault)
        case .resetAfterEvents: try Self.read(text, .reset, into: &fault)
        case .stallAfterEvents: try Self.read(text, .stall, into: &fault)
        case .drip: fault.rate = try WholeNumber.parse(text, in: Self.octets)
        case .split: fault.pieceSize = try WholeNumber.parse(text, in: Self.octets)
        case .malformedJSON: fault.malformedEvent = try WholeNumber.parse(text, in: 1...Self.events.upperBound)
        case .errorIn200:
            guard let isError = Bool(text) else { throw InvalidValue("expected \(expected)") }
            fault.isErrorIn200 = isError
        case .contentType:
            guard Self.isMediaType(text) else { throw InvalidValue("expected \(expected)") }
            fault.contentType = text
        case .towards:
            guard let receiver = Fault.Receiver(rawValue: text) else { throw InvalidValue("expected \(expected)") }
            fault.receiver = receiver
        }
    }

    private static func read(_ text: String, _ end: Fault.End, into fault: inout Fault) throws(InvalidValue) {
        guard fault.end == nil || fault.end == end else {
            throw InvalidValue("a stream ends once: keep one of cut, reset and stall")
        }
        fault.eventsBeforeEnd = try WholeNumber.parse(text, in: events)
        fault.end = end
    }

    /// Returns whether a text is a media type, with or without parameters, and valid in a header.
    private static func isMediaType(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
        return text.utf8.count <= 128 && parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
            && text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    }

    /// Returns the text for the log; nil if the fault has no such member.
    fileprivate func text(of fault: Fault) -> String? {
        let value: String? =
            switch self {
            case .status: fault.status.map(String.init)
            case .retryAfter: fault.retryAfter.map(String.init)
            case .delayHead: fault.headDelay.map(Self.text)
            case .delayContent: fault.contentDelay.map(Self.text)
            case .cutAfterEvents: fault.end == .cut ? "\(fault.eventsBeforeEnd)" : nil
            case .resetAfterEvents: fault.end == .reset ? "\(fault.eventsBeforeEnd)" : nil
            case .stallAfterEvents: fault.end == .stall ? "\(fault.eventsBeforeEnd)" : nil
            case .drip: fault.rate.map(String.init)
            case .split: fault.pieceSize.map(String.init)
            case .malformedJSON: fault.malformedEvent.map(String.init)
            case .errorIn200: fault.isErrorIn200 ? "true" : nil
            case .contentType: fault.contentType
            case .towards: fault.receiver == .gateway ? nil : fault.receiver.rawValue
            }
        return value.map { "\(rawValue)=\($0)" }
    }

    private static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        guard attoseconds != 0 else { return "\(seconds)s" }
        return "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000)ms"
    }
}

extension Fault {
    /// Parses faults requested by a client, such as `cut_after_events=3; delay_head=1s`.
    ///
    /// - Throws: ``InvalidValue``, which does not repeat the text.
    package init(parsing text: String) throws(InvalidValue) {
        self.init()
        for part in text.split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
            guard pair.count == 2, let member = FaultMember(rawValue: pair[0]) else {
                let names = FaultMember.allCases.map(\.rawValue).joined(separator: ", ")
                throw InvalidValue("expected members such as cut_after_events=3, separated by ';', among \(names)")
            }
            do throws(InvalidValue) {
                try member.read(pair[1], into: &self)
            } catch {
                throw InvalidValue("\(member.rawValue): \(error.message)")
            }
        }
        try check()
    }

    /// - Throws: ``InvalidValue`` if members contradict each other, or if there are none.
    func check() throws(InvalidValue) {
        guard !description.isEmpty else {
            throw InvalidValue("no fault is named: write one such as cut_after_events=3")
        }
        if retryAfter != nil, status == nil { throw InvalidValue("retry_after: add the status that it belongs to") }
        var rest = self
        rest.status = nil
        rest.retryAfter = nil
        rest.headDelay = nil
        rest.isErrorIn200 = false
        rest.receiver = .gateway
        guard status == nil && !isErrorIn200 || rest == Fault(), status == nil || !isErrorIn200 else {
            throw InvalidValue(
                "status and error_in_200 stand for the whole response: only delay_head goes with one of them")
        }
    }
}

extension Fault: CustomStringConvertible {
    /// The fault as a request would write it; empty if there is none.
    package var description: String {
        FaultMember.allCases.compactMap { $0.text(of: self) }.joined(separator: "; ")
    }
}
