/// What one check found.
package struct Finding: Sendable, Equatable {
    /// A measured number, for programs.
    package struct Figure: Sendable, Equatable {
        /// With its unit, such as `first_event_ms`.
        package let name: String
        package let value: Double

        package init(_ name: String, _ value: Double) {
            self.name = name
            self.value = value
        }

        /// - Parameter nanoseconds: given out in milliseconds, to the microsecond.
        package init(_ name: String, nanoseconds: UInt64) {
            self.init(name, Double(nanoseconds / 1000) / 1000)
        }
    }

    package let check: Check
    package var verdict: Verdict
    /// What was seen. It may repeat what a server said: only a ``DiagnosisReport`` makes that safe to show.
    package var measured: String
    /// What to do about it; nil where nothing is to be done.
    package var advice: String?
    package var figures: [Figure]

    package init(
        _ check: Check, _ verdict: Verdict, _ measured: String, advice: String? = nil, figures: [Figure] = []
    ) {
        self.check = check
        self.verdict = verdict
        self.measured = measured
        self.advice = advice
        self.figures = figures
    }

    package static func skipped(_ check: Check, _ reason: String) -> Finding { Finding(check, .skipped, reason) }
}

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
