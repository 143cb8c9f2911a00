/// All findings, which can be shown to people or to programs.
package struct DiagnosisReport: Sendable {
    /// The address as the user wrote it.
    package let address: String
    /// The address of the gateway itself, if ``address`` is that of a proxy in front of it.
    package let direct: String?
    package let model: String?
    /// The findings. Each value fits into one printable line.
    package let findings: [Finding]

    /// Creates a report.
    ///
    /// - Parameter secrets: The secrets to remove, because a server may have repeated them.
    package init(address: String, direct: String?, model: String?, findings: [Finding], secrets: Set<String> = []) {
        self.address = address
        self.direct = direct
        self.model = model.map { Redaction.text($0, without: secrets) }
        // This happens before lines are cut. Otherwise, the beginning of a secret would remain if a cut removed its
        // end.
        self.findings = findings.map { finding in
            var finding = finding
            finding.measured = Printable.line(Redaction.text(finding.measured, without: secrets))
            return finding
        }
    }

    package func count(_ verdict: Verdict) -> Int { findings.count { $0.verdict == verdict } }

    package var isHealthy: Bool { count(.failed) == 0 }
}
