import Foundation

/// Compares a well-formed response with the expectation of a case.
struct HTTPVectorAnswerCheck {
    let expected: HTTPVectorExpectation.Answer
    let response: WireResponse

    var failures: [String] {
        let head = response.head
        var failures: [String] = []
        if !expected.allowed.contains(.status(head.status)) {
            failures.append("status \(head.status), not one of \(expected.allowed)")
        }
        if let pattern = expected.version {
            failures += check("version", head.version, pattern)
        }
        let conditional = expected.headerByStatus[String(head.status)] ?? [:]
        for (name, pattern) in Array(expected.header) + Array(conditional) {
            failures += check("field \(name)", head.value(of: name.lowercased()), pattern)
        }
        if expected.isJSON, (try? JSONSerialization.jsonObject(with: Data(response.body))) == nil {
            failures.append("the body is not JSON")
        }
        if let pattern = expected.bodyNot, matches(response.body.latin1, pattern) != false {
            failures.append("the body matches \(pattern)")
        }
        return failures
    }

    private func check(_ what: String, _ value: String?, _ pattern: String?) -> [String] {
        switch (value, pattern) {
        case (nil, nil): []
        case (let value?, nil): ["\(what) is there: \(value)"]
        case (nil, _?): ["\(what) is missing"]
        case (let value?, let pattern?): matches(value, pattern) == true ? [] : ["\(what): \(value) is not \(pattern)"]
        }
    }

    /// Returns whether the text matches; nil if the pattern is invalid, which fails every check.
    private func matches(_ text: String, _ pattern: String) -> Bool? {
        guard let expression = try? NSRegularExpression(pattern: pattern) else { return nil }
        return expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }
}
