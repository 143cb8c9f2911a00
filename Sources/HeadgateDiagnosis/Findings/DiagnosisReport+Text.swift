extension DiagnosisReport {
    /// Returns one line for each check and, below it unless it succeeded, lines about why it matters and what to do.
    ///
    /// - Parameters:
    ///   - isColoured: Whether the reader is a terminal that shows colors.
    ///   - isVerbose: Whether to explain why successful checks matter, too.
    package func lines(isColoured: Bool, isVerbose: Bool) -> [String] {
        var lines = ["Headgate doctor: \(Printable.line(address))"]
        if let direct { lines.append("compared with: \(Printable.line(direct))") }
        if let model { lines.append("model: \(Printable.line(model))") }
        lines.append("")
        let width = (findings.map { $0.check.title.count }.max() ?? 0) + 2
        for finding in findings {
            let word = DiagnosisReport.padded(finding.verdict.rawValue, to: 9)
            let mark = isColoured ? "\u{1B}[\(finding.verdict.colour)m\(word)\u{1B}[0m" : word
            lines.append("\(mark)\(DiagnosisReport.padded(finding.check.title, to: width))\(finding.measured)")
            let isTrouble = finding.verdict == .warning || finding.verdict == .failed
            if isTrouble || isVerbose { lines.append("         why: \(finding.check.why)") }
            if let advice = finding.advice { lines.append("         do:  \(advice)") }
        }
        lines.append("")
        lines.append(
            "\(count(.ok)) ok, \(counted(count(.warning), "warning")), \(count(.failed)) failed, \(count(.skipped)) "
                + "skipped"
        )
        return lines
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

extension Verdict {
    /// The parameter of the terminal's color sequence (ECMA-48 8.3.117).
    fileprivate var colour: String {
        switch self {
        case .ok: "32"
        case .warning: "33"
        case .failed: "31"
        case .skipped: "2"
        }
    }
}
