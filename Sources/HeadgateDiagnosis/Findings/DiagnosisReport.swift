/// Everything that was found, for people or for programs.
package struct DiagnosisReport: Sendable {
    /// As people write it.
    package let address: String
    /// The gateway itself, where the address leads to something in front of it.
    package let direct: String?
    package let model: String?
    package let findings: [Finding]

    package init(address: String, direct: String?, model: String?, findings: [Finding]) {
        self.address = address
        self.direct = direct
        self.model = model
        self.findings = findings
    }

    package func count(_ verdict: Verdict) -> Int { findings.count { $0.verdict == verdict } }

    package var isHealthy: Bool { count(.failed) == 0 }

    /// The same, with a secret taken out that a server may have repeated.
    package func without(secret: String) -> DiagnosisReport {
        guard !secret.isEmpty else { return self }
        let findings = findings.map { finding in
            var finding = finding
            finding.measured = DiagnosisReport.cut(secret, out: finding.measured)
            return finding
        }
        return DiagnosisReport(address: address, direct: direct, model: model, findings: findings)
    }

    private static func cut(_ secret: String, out text: String) -> String {
        var output = ""
        var rest = text[...]
        while !rest.isEmpty {
            if rest.hasPrefix(secret) {
                output += "<redacted>"
                rest = rest.dropFirst(secret.count)
            } else {
                output.append(rest.removeFirst())
            }
        }
        return output
    }
}
