#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Converts a model's text to a value.
enum TypedAnswer {
    /// - Throws: ``HeadgateClientError/refused(_:)``, ``HeadgateClientError/answerCut(_:)`` or
    ///   ``HeadgateClientError/decoding(_:)``.
    static func value<Value: Decodable>(
        _ type: Value.Type, in text: String, refusal: String, finishReason: FinishReason?, isWrapped: Bool
    ) throws -> Value {
        if !refusal.isEmpty { throw HeadgateClientError.refused(refusal) }
        if let finishReason, finishReason.isCut { throw HeadgateClientError.answerCut(finishReason) }
        let bytes = Array(TypedAnswer.withoutFence(text).utf8)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        do {
            guard isWrapped else { return try decoder.decode(type, from: Data(bytes)) }
            return try decoder.decode(Wrapped<Value>.self, from: Data(bytes)).value
        } catch let error as DecodingError {
            throw HeadgateClientError.decoding(DecodingFailure(error, in: bytes))
        }
    }

    private struct Wrapped<Value: Decodable>: Decodable { let value: Value }

    /// Returns the text without a Markdown fence, which models often write if their server ignores the schema.
    private static func withoutFence(_ text: String) -> Substring {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: true)[...]
        while lines.first?.allSatisfy(\.isWhitespace) == true { lines.removeFirst() }
        while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
        guard lines.count > 2, lines.removeFirst().hasPrefix("```"), lines.removeLast().hasPrefix("```"),
            let first = lines.first, let last = lines.last
        else { return text[...] }
        return text[first.startIndex..<last.endIndex]
    }
}
