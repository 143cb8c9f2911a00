internal import HTTPTypes
internal import HeadgateHTTP

/// Stored content of a request. Times are nanoseconds since its start.
struct InspectedContent: Sendable {
    /// Arrival time of a chunk of the response, and the offset of its end.
    struct Piece: Sendable {
        let time: UInt64
        var end: Int
    }

    var fields: [HTTPField]
    var body: CutBody
    var attempts: [InspectedAttempt] = []
    /// Status that the client got; nil before the response, and for an error of the gateway itself.
    var status: Int?
    /// Message of an error of the gateway.
    var error: String?
    var response = CutBody()
    var pieces: [Piece] = []
    var endedAt: UInt64?
    /// Masks of the keys that were known when an upstream answered. Its program can print many others before anyone
    /// looks.
    var masks: [SecretMask] = []

    /// Maximum number of chunks with separate times; later chunks belong to the last one.
    private static let mostPieces = 1000
    /// Maximum number of attempts. Together their bodies take at most as much as two bodies.
    private static let mostAttempts = 16

    mutating func append(_ chunk: UnsafeRawBufferPointer, at time: UInt64, limit: Int) {
        response.append(chunk, limit: limit)
        let end = response.bytes.count
        if pieces.count == InspectedContent.mostPieces {
            pieces[pieces.count - 1].end = end
        } else if end > pieces.last?.end ?? 0 {
            pieces.append(Piece(time: time, end: end))
        }
    }

    /// - Returns: index of the attempt; nil if there is no room for more.
    mutating func add(_ attempt: InspectedAttempt, limit: Int) -> Int? {
        guard attempts.count < InspectedContent.mostAttempts else { return nil }
        let stored = attempts.reduce(0) { $0 + ($1.body?.bytes.count ?? 0) }
        attempts.append(attempt)
        attempts[attempts.count - 1].body?.cut(to: max(0, 2 * limit - stored))
        return attempts.count - 1
    }

    func masked(_ others: [SecretMask]) -> InspectedContent {
        var content = self
        let masks = masks + others
        content.fields = InspectedContent.masked(content.fields, masks)
        content.body.hideSecrets(masks)
        content.response.hideSecrets(masks)
        for index in attempts.indices { content.attempts[index].hideSecrets(masks) }
        return content
    }

    /// Returns the headers with masked secrets: at most 64, each cut after 1,024 characters.
    static func masked(_ fields: some Sequence<HTTPField>, _ masks: [SecretMask]) -> [HTTPField] {
        fields.prefix(64).map { field in
            var field = field
            for mask in masks { field.value = mask.value(of: field) }
            field.value = String(field.value.prefix(1024))
            return field
        }
    }
}

/// One attempt at an upstream.
struct InspectedAttempt: Sendable {
    let upstream: String
    /// Method, authority and path.
    var place: String
    let startedAt: UInt64
    var fields: [HTTPField]
    /// Body that was sent; nil for a form, which is streamed.
    var body: CutBody?
    /// Time of the response's head, or of the failure.
    var respondedAt: UInt64?
    var status: Int?
    /// Code of a failure without a response.
    var error: String?
    /// Body of an error response. Other bodies can be seen in the client's response.
    var response = CutBody()

    static let longestError = 4 << 10

    fileprivate mutating func hideSecrets(_ masks: [SecretMask]) {
        for mask in masks { place = mask.masked(place) }
        fields = InspectedContent.masked(fields, masks)
        body?.hideSecrets(masks)
        response.hideSecrets(masks)
    }
}

/// Beginning of a body.
struct CutBody: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Size of the whole body, in bytes.
    private(set) var size = 0

    /// Longest part of a secret that is not recognized as such, in bytes: 16 characters, each escaped in JSON.
    private static let longestWord = 16 * 6

    init() {}

    init(_ body: [UInt8], limit: Int) {
        bytes = Array(body.prefix(limit))
        size = body.count
    }

    var isCut: Bool { bytes.count < size }

    /// Whether the body is shown as text.
    var isText: Bool { !bytes.contains(0) }

    mutating func append(_ chunk: UnsafeRawBufferPointer, limit: Int) {
        size += chunk.count
        bytes.append(contentsOf: chunk.prefix(max(0, limit - bytes.count)))
    }

    mutating func cut(to limit: Int) {
        if bytes.count > limit { bytes = Array(bytes.prefix(limit)) }
    }

    /// Replaces secrets with stars. If the body is cut, its last bytes are removed: they can be the beginning of a
    /// secret, or of a character.
    mutating func hideSecrets(_ masks: [SecretMask]) {
        for mask in masks { mask.hide(in: &bytes) }
        guard isCut else { return }
        bytes.removeLast(min(bytes.count, CutBody.longestWord))
        while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
        if bytes.last ?? 0 >= 0xC0 { bytes.removeLast() }
    }

    /// Returns the text of a range of the bytes, moved to character boundaries.
    func text(_ range: Range<Int>) -> String {
        let range = boundary(range.lowerBound)..<boundary(range.upperBound)
        return String(decoding: bytes[range], as: UTF8.self)
    }

    var text: String { text(0..<bytes.count) }

    private func boundary(_ index: Int) -> Int {
        var index = min(index, bytes.count)
        // Continuation bytes belong to the preceding character.
        while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
        return index
    }
}
