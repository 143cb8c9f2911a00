internal import Glibc
internal import JSONBytes

/// The last chunk of a chat stream, by which the next ones are known: most differ from it in their new text alone.
///
/// What it recognizes needs no other reading, and that is exact. The remembered document has passed the whole reading of
/// ``ChatEvent``, for which one string in it, the text, is only empty or not. JSON takes any string in the place of any other: a
/// document with the same bytes before and after, and another text, strictly checked and not empty, is valid as well, and says the
/// same to the gateway. Neither part holds a line end, so it is the same event too. Whatever differs in anything else is not
/// recognized, and is read in full.
struct RepeatedEvent {
    /// The event as the gateway writes it: `data: `, the document, a blank line.
    private var bytes: [UInt8] = []
    /// Where the text lies in ``bytes``.
    private var text = 0..<0
    /// Where the model's name lies in ``bytes``, if it is to be replaced.
    private(set) var model: Range<Int>?

    private static let fieldName = "data: ".utf8
    private static let longestDocument = 1024
    /// Well below what the parser accepts, so that it need not be asked.
    private static let longestText = 64 * 1024

    /// Keeps a chunk in mind that has been read.
    ///
    /// - Parameter model: the literal that is replaced downstream.
    mutating func remember(_ event: ChatEvent, _ document: UnsafeRawBufferPointer, replacing model: Range<Int>?) {
        // A chunk that says more than its text is one of a kind.
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

    /// Walks over the events that are known, from the first byte of the chunk on.
    ///
    /// - Parameter visit: is given the start of each.
    /// - Returns: the end of the last one; 0 without any.
    @inline(__always)
    func walk(_ chunk: UnsafeRawBufferPointer, _ visit: (_ start: Int) -> Void) -> Int {
        // Without an event to compare with, everything would look like a known one.
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
