#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Text form of an explanation.
struct ExplanationText {
    private struct Document: Decodable {
        struct Affinity: Decodable {
            let rule: String
            let hasKey: Bool
        }
        struct Retry: Decodable {
            let attempts: Int
            let budgetPercent: Int
            let on: [String]
        }
        struct Hedge: Decodable {
            let after: String
            let afterMs: Int?
            let repeatable: Bool
        }
        struct Target: Decodable {
            let upstream: String
            let model: String
            let state: String
            let reason: String
        }
        struct Rule: Decodable {
            let rule: String
            let member: String
            let changed: Bool
        }
        struct Request: Decodable {
            let upstream: String
            let curl: String
        }

        let model: String
        let matched: String
        let choose: String
        let orderIsRandom: Bool
        let affinity: Affinity?
        let retry: Retry
        let hedge: Hedge?
        let targets: [Target]
        let rules: [Rule]
        let request: Request
    }

    private let document: Document

    /// - Throws: A decoding error if the JSON is not an explanation.
    init(_ json: [UInt8]) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        document = try decoder.decode(Document.self, from: Data(json))
    }

    /// The text without a line break at its end.
    var text: String {
        (heading + targets + rules + ["", "What \(document.request.upstream) would be sent:", document.request.curl])
            .joined(separator: "\n")
    }

    private var heading: [String] {
        var words = ["choose: \(document.choose)"]
        if let affinity = document.affinity {
            words.append("affinity: \(affinity.rule)\(affinity.hasKey ? "" : " (this request has none)")")
        }
        words.append("attempts: \(document.retry.attempts)")
        if let hedge = document.hedge { words.append("hedge: \(ExplanationText.words(for: hedge))") }
        let match = document.model == document.matched ? "" : ", by \(document.matched)"
        return ["\(document.model)\(match): \(words.joined(separator: ", "))"]
    }

    private var targets: [String] {
        let names = document.targets.map { "\($0.upstream) as \($0.model)" }
        let (name, state) = (width(of: names), width(of: document.targets.map(\.state)))
        let lines = zip(names, document.targets).enumerated().map { index, pair in
            "  \(index + 1). \(padded(pair.0, to: name))  \(padded(pair.1.state, to: state))  \(pair.1.reason)"
        }
        return lines + (document.orderIsRandom ? ["  The next request may find them in another order."] : [])
    }

    private var rules: [String] {
        document.rules.map { rule in
            "  \(rule.member): \(ExplanationText.words(for: rule.rule))\(rule.changed ? "" : " (changes nothing here)")"
        }
    }

    private static func words(for hedge: Document.Hedge) -> String {
        guard hedge.repeatable else { return "after \(hedge.after) (this request may not be sent twice)" }
        guard hedge.after == "p95" else { return "after \(hedge.after)" }
        return "after p95 (\(hedge.afterMs.map { "\($0) ms now" } ?? "too few requests are measured yet"))"
    }

    private static func words(for rule: String) -> String {
        switch rule {
        case "default": "set, where the client says nothing"
        case "override": "set, whatever the client says"
        case "strip": "taken out"
        case "model": "renamed for the upstream"
        case "usage": "asked for"
        case "format": "translated to that of the upstream"
        case "drop": "left out: the upstream's format has no such member"
        default: rule
        }
    }

    private func width(of texts: [String]) -> Int { texts.map(\.count).max() ?? 0 }

    private func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
