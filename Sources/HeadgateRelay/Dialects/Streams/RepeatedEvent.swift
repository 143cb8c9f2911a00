internal import HeadgateLibC
internal import JSONBytes

/// Last chunk of a chat stream. The next one usually differs only in its text, and then need not be parsed.
/// The shortcut is exact. The remembered document has been parsed by ``ChatEvent``, which only reads whether its text
/// is empty. A document with the same bytes before and after the text, and another valid non-empty string between them,
/// is valid too and means the same to the gateway. Any other difference causes a full parse.
struct RepeatedEvent {
    /// Event as the gateway writes it: `data: `, the document, a blank line.
    private var bytes: [UInt8] = []
    /// Range of the text in ``bytes``.
    private var text = 0..<0
    /// Range of the model's name in ``bytes``, if it is to be replaced.
    private(set) var model: Range<Int>?

    /// Bytes of the event without its text.
    var frame: Int { bytes.count - text.count }

    private static let fieldName = "data: ".utf8
    private static let longestDocument = 1024
    /// Maximum bytes of a text, well below the limit of the parser, which therefore need not be checked.
    private static let longestText = 64 * 1024

    /// Remembers a chunk that has been parsed.
    ///
    /// - Parameter model: the literal that is replaced downstream.
    mutating func remember(_ event: ChatEvent, _ document: UnsafeRawBufferPointer, replacing model: Range<Int>?) {
        // A chunk with more than a text will not repeat.
        guard let text = event.text?.contents, event.finishReason == nil, !event.hasUsage, !event.hasError,
            document.count <= RepeatedEvent.longestDocument, model.map({ $0.upperBound < text.lowerBound }) ?? true
        else { return }
        let start = RepeatedEvent.fieldName.count
        bytes.removeAll(keepingCapacity: true)
        bytes.reserveCapacity(start + document.count + 2)
        bytes.append(contentsOf: RepeatedEvent.fieldName)
        bytes.append(contentsOf: document)
        bytes.append(contentsOf: "\n\n".utf8)
        self.text = text.lowerBound + start..<text.upperBound + start
        self.model = model.map { $0.lowerBound + start..<$0.upperBound + start }
    }

    /// Visits the events at the start of the chunk that need no parsing.
    ///
    /// - Parameter visit: called with the start of each event.
    /// - Returns: the end of the last such event; 0 if there is none.
    @inline(__always)
    func walk(_ chunk: UnsafeRawBufferPointer, _ visit: (_ start: Int) -> Void) -> Int {
        // Without an event to compare with, everything would match.
        guard !bytes.isEmpty else { return 0 }
        return bytes.withUnsafeBytes { known in
            var start = 0
            while let end = end(ofEventAt: start, in: chunk, known) {
                visit(start)
                start = end
            }
            return start
        }
    }

    @inline(__always)
    private func end(
        ofEventAt start: Int, in chunk: UnsafeRawBufferPointer, _ known: UnsafeRawBufferPointer
    ) -> Int? {
        guard let known = known.baseAddress, let base = chunk.baseAddress,
            chunk.count - start >= bytes.count - text.count,
            memcmp(base + start, known, text.lowerBound) == 0
        else { return nil }
        let quote = start + text.lowerBound - 1
        var cursor = JSONCursor(UnsafeRawBufferPointer(start: base + quote, count: chunk.count - quote))
        guard let new = try? cursor.string().contents, !new.isEmpty, new.count <= RepeatedEvent.longestText else {
            return nil
        }
        let rest = quote + new.upperBound
        let restCount = bytes.count - text.upperBound
        guard chunk.count - rest >= restCount, memcmp(base + rest, known + text.upperBound, restCount) == 0 else {
            return nil
        }
        return rest + restCount
    }
}
