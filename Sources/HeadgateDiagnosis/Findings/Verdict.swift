// HeadgateDiagnosis: what an exchange with a gateway, seen from outside, says about it and about what stands in front
// of it. Pure: observations go in, findings come out. No I/O, no clock, and nothing of the gateway's own behaviour.

/// How a check went.
package enum Verdict: String, Sendable, CaseIterable {
    case ok
    /// It works, and deserves a second look.
    case warning
    case failed
    /// There was nothing to judge by.
    case skipped
}
