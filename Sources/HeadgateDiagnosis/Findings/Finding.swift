/// The result of one check.
package struct Finding: Sendable, Equatable {
    /// A measured number, for programs.
    package struct Figure: Sendable, Equatable {
        /// The name with its unit, such as `first_event_ms`.
        package let name: String
        package let value: Double

        package init(_ name: String, _ value: Double) {
            self.name = name
            self.value = value
        }

        /// Creates a figure in milliseconds, with microseconds as decimals.
        ///
        /// - Parameter nanoseconds: The measured time.
        package init(_ name: String, nanoseconds: UInt64) {
            self.init(name, Double(nanoseconds / 1000) / 1000)
        }
    }

    package let check: Check
    package var verdict: Verdict
    /// The observed value. It can quote a server; only a ``DiagnosisReport`` makes it safe to show.
    package var measured: String
    /// The advice; nil if nothing has to be done.
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

// HeadgateDiagnosis: the diagnosis of a gateway, and of proxies in front of it, from exchanges that a client observed.
// The module is pure: observations go in, findings come out. It has no I/O, no clock, and no code of the gateway.

/// The outcome of a check.
package enum Verdict: String, Sendable, CaseIterable {
    case ok
    /// It works, but deserves a second look.
    case warning
    case failed
    /// There was no data to check.
    case skipped
}
