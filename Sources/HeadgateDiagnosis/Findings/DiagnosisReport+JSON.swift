internal import JSONBytes

extension DiagnosisReport {
    /// The report as one object:
    /// `{"url","direct","model","healthy","counts":{...},"checks":[{"id","title","verdict","measured","why","advice",
    /// "figures":{...}}]}`.
    package var json: [UInt8] {
        var output = Array("{\"url\":".utf8)
        JSONEscaping.append(address, to: &output)
        DiagnosisReport.append("direct", direct, to: &output)
        DiagnosisReport.append("model", model, to: &output)
        output += ",\"healthy\":\(isHealthy),\"counts\":{".utf8
        output += Verdict.allCases.map { "\"\($0.rawValue)\":\(count($0))" }.joined(separator: ",").utf8
        output += "},\"checks\":[".utf8
        for (index, finding) in findings.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            DiagnosisReport.append(finding, to: &output)
        }
        output += "]}".utf8
        return output
    }

    private static func append(_ finding: Finding, to output: inout [UInt8]) {
        output += "{\"id\":\"\(finding.check.rawValue)\"".utf8
        append("title", finding.check.title, to: &output)
        append("verdict", finding.verdict.rawValue, to: &output)
        append("measured", finding.measured, to: &output)
        append("why", finding.check.why, to: &output)
        append("advice", finding.advice, to: &output)
        output += ",\"figures\":{".utf8
        output += finding.figures.map { "\"\($0.name)\":\(number($0.value))" }.joined(separator: ",").utf8
        output += "}}".utf8
    }

    private static func append(_ name: String, _ value: String?, to output: inout [UInt8]) {
        output += ",\"\(name)\":".utf8
        if let value { JSONEscaping.append(value, to: &output) } else { output += "null".utf8 }
    }

    private static func number(_ value: Double) -> String {
        Int(exactly: value).map(String.init) ?? "\(value)"
    }
}
