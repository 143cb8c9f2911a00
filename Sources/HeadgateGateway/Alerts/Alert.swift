internal import HeadgatePrimitives
internal import HeadgateRelay

/// Alert for the owner of the gateway: a budget is running out, or a target fails or works again.
package struct Alert: Sendable, Equatable {
    /// Text of the alert, one sentence.
    package let text: String
    /// The alert as a JSON object.
    package let json: [UInt8]

    private init(_ kind: String, _ text: String, at realtime: Int64, _ write: (inout JSONMembers) -> Void) {
        self.text = text
        var members = JSONMembers(room: 512)
        members.append("alert", kind)
        members.append("text", "Headgate: \(text)")
        members.append("time", time: realtime)
        write(&members)
        json = members.end()
    }

    /// - Parameters:
    ///   - threshold: percentage of the budget that is used.
    ///   - realtime: nanoseconds since 1970.
    init(_ use: BudgetUse, threshold: Int, at realtime: Int64) {
        let subject =
            use.subject.kind == .gateway
            ? "all requests together" : "\(use.subject.kind.rawValue) '\(use.subject.name)'"
        let end = Timestamp.dateTime(use.end)
        let text =
            threshold < 100
            ? "\(subject) has used \(threshold) % of its budget of \(use.rule.text), which begins again at \(end)"
            : "\(subject) has used up its budget of \(use.rule.text): its requests are refused until \(end)"
        self.init("budget", text, at: realtime) { members in
            members.append("threshold", threshold)
            members.append("of", use.subject.kind.rawValue)
            members.append("name", use.subject.name)
            use.write(&members)
        }
    }

    /// - Parameters:
    ///   - isOpen: whether the breaker has opened; else it has closed.
    ///   - realtime: nanoseconds since 1970.
    init(breakerOf target: TargetName, isOpen: Bool, at realtime: Int64) {
        let place = "model '\(target.model)' of upstream '\(target.upstream)'"
        let text =
            isOpen
            ? "\(place) fails: its circuit breaker is open, and requests go to other targets or are refused"
            : "\(place) works again: its circuit breaker is closed"
        self.init("breaker", text, at: realtime) { members in
            members.append("state", isOpen ? "open" : "closed")
            members.append("upstream", target.upstream)
            members.append("model", target.model)
        }
    }
}
