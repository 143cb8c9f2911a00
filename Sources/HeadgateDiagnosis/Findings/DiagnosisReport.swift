/// Everything that was found, for people or for programs.
package struct DiagnosisReport: Sendable {
    /// As people write it.
    package let address: String
    /// The gateway itself, where the address leads to something in front of it.
    package let direct: String?
    package let model: String?
    /// Each in one printable line.
    package let findings: [Finding]

    /// - Parameter secrets: secrets that a server may have repeated, to be removed.
    package init(address: String, direct: String?, model: String?, findings: [Finding], secrets: Set<String> = []) {
        self.address = address
        self.direct = direct
        self.model = model.map { Redaction.text($0, without: secrets) }
        // Before lines are cut, or the beginning of a secret would stay where a cut takes its end.
        self.findings = findings.map { finding in
            var finding = finding
            finding.measured = Printable.line(Redaction.text(finding.measured, without: secrets))
            return finding
        }
    }

    package func count(_ verdict: Verdict) -> Int { findings.count { $0.verdict == verdict } }

    package var isHealthy: Bool { count(.failed) == 0 }
}
