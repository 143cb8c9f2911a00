internal import HeadgateContract
internal import HeadgateDialects
internal import JSONBytes

/// Estimate of a request's tokens if the upstream does not count them: one token per four bytes of text.
package enum UsageEstimate {
    /// Bytes of text in one token.
    private static let octets = 4
    /// Maximum bytes of a base64 string that counts as text. Longer ones are images or audio, which are not counted.
    private static let longestWord = 16 << 10

    private static func tokens(_ octets: Int) -> Int { (octets + UsageEstimate.octets - 1) / UsageEstimate.octets }

    /// Estimates the tokens of a prompt from the whole request.
    ///
    /// - Parameter document: valid JSON.
    package static func prompt(_ document: [UInt8]) -> Int {
        guard document.count > longestWord else { return tokens(document.count) }
        return tokens(document.count - document.withUnsafeBytes { CountedStrings.octets(.data, in: $0) })
    }

    /// Estimates the tokens of a model's text and tool calls.
    ///
    /// - Parameter document: a whole response, in the format of any API.
    package static func completion(in document: [UInt8]) -> Int { tokens(writtenBytes(in: document)) }

    /// Returns the bytes of a model's text and tool calls.
    static func writtenBytes(in document: [UInt8]) -> Int {
        document.withUnsafeBytes { CountedStrings.octets(.written, in: $0) }
    }

    /// Estimates the tokens of a stream, from the bytes that the model has written.
    package static func completion(bytes: Int) -> Int { tokens(bytes) }

    fileprivate static func isData(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count > longestWord else { return false }
        let isURL = text.starts(with: "data:".utf8)
        return (isURL ? text.drop { $0 != UInt8(ascii: ",") }.dropFirst() : text[...]).allSatisfy(isOfBase64)
    }

    /// Accepts backslashes too, because slashes can be escaped.
    private static func isOfBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x2B, 0x2F...0x39, 0x3D, 0x41...0x5A, 0x5C, 0x61...0x7A: true
        default: false
        }
    }
}

/// Counter of the bytes of a document's strings of one kind.
private struct CountedStrings {
    enum Kind {
        /// Base64 strings that are too long for text.
        case data
        /// Strings in members that hold what a model has written.
        case written
    }

    private let kind: Kind
    private let document: UnsafeRawBufferPointer
    private var octets = 0

    /// Returns the number of bytes; 0 if the document is not JSON.
    static func octets(_ kind: Kind, in document: UnsafeRawBufferPointer) -> Int {
        var strings = CountedStrings(kind: kind, document: document)
        var cursor = JSONCursor(document)
        do throws(JSONError) { try strings.read(&cursor, isWritten: false) } catch { return 0 }
        return strings.octets
    }

    private mutating func read(_ cursor: inout JSONCursor, isWritten: Bool) throws(JSONError) {
        switch try cursor.kind() {
        case .string:
            let text = UnsafeRawBufferPointer(rebasing: document[try cursor.string().contents])
            if kind == .written ? isWritten : UsageEstimate.isData(text) { octets += text.count }
        case .array:
            try cursor.beginArray()
            while try cursor.nextElement() { try read(&cursor, isWritten: isWritten) }
        case .object:
            try cursor.beginObject()
            var reasoning = 0
            while let key = try cursor.nextKey() {
                let (before, isReasoning) = (octets, CountedStrings.reasonings.contains { cursor.equals(key, $0) })
                try readMember(key, &cursor)
                guard isReasoning, kind == .written else { continue }
                reasoning = max(reasoning, octets - before)
                octets = before
            }
            octets += reasoning
        default: try cursor.skipValue()
        }
    }

    private mutating func readMember(_ key: JSONString, _ cursor: inout JSONCursor) throws(JSONError) {
        if kind == .written, try cursor.kind() == .object,
            CountedStrings.arguments.contains(where: { cursor.equals(key, $0) })
        {
            octets += try cursor.skipValue().count
        } else if kind == .written, cursor.equals(key, "encrypted_content"), try cursor.kind() == .string {
            octets += Compaction.summaryBytes(sealedIn: .init(rebasing: document[try cursor.string().contents]))
        } else {
            try read(&cursor, isWritten: CountedStrings.texts.contains { cursor.equals(key, $0) })
        }
    }

    // Members of the responses of all APIs.
    private static let arguments: [StaticString] = ["arguments", "input"]
    private static let texts: [StaticString] = [
        "content", "text", "reasoning_content", "reasoning", "thinking", "refusal", "arguments", "response",
    ]

    // Some servers repeat the same text in several of these members to support every client.
    private static let reasonings: [StaticString] = ["reasoning_content", "reasoning", "reasoning_details"]

    private init(kind: Kind, document: UnsafeRawBufferPointer) {
        (self.kind, self.document) = (kind, document)
    }
}

/// Tokens that the requests of an operation use.
package enum TokenUse: Sendable {
    /// No tokens: the request only counts the tokens of a prompt.
    case none
    /// Tokens of the prompt only, because the response is not text.
    case prompt
    case all

    init(ofOperation id: String) {
        switch id {
        case OperationTable.countMessageTokens.id, OperationTable.countResponseTokens.id: self = .none
        case OperationTable.createEmbedding.id, OperationTable.createModeration.id, OperationTable.createRerank.id,
            OperationTable.ollamaEmbed.id, OperationTable.ollamaEmbeddings.id:
            self = .prompt
        default: self = .all
        }
    }
}
