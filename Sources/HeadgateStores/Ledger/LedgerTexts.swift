/// Texts in consecutive memory, each after its length.
struct LedgerTexts {
    typealias Text = UnsafeRawBufferPointer

    /// Maximum bytes of a text. A longer one is cut at a character boundary.
    static let longest = 256
    /// Length that marks an absent text.
    private static let none = UInt16.max

    private let memory: UnsafeRawPointer
    private(set) var place: Int
    private let end: Int

    init(_ memory: UnsafeRawPointer, from start: Int = 0, to end: Int) {
        self.memory = memory
        place = start
        self.end = end
    }

    /// Returns the next text, which is empty if absent; nil if the memory is not valid.
    mutating func next() -> Text? {
        guard place + 2 <= end else { return nil }
        let count = memory.loadUnaligned(fromByteOffset: place, as: UInt16.self)
        place += 2
        if count == LedgerTexts.none { return Text(start: memory, count: 0) }
        guard place + Int(count) <= end else { return nil }
        defer { place += Int(count) }
        return Text(start: memory + place, count: Int(count))
    }

    /// Skips texts.
    ///
    /// - Returns: the texts from the previous position on; nil if there are fewer than `count`.
    mutating func skipping(_ count: Int) -> LedgerTexts? {
        let copy = self
        for _ in 0..<count { if next() == nil { return nil } }
        return copy
    }

    struct Writer {
        private let memory: UnsafeMutableRawPointer
        private(set) var place: Int
        private let end: Int

        init(_ memory: UnsafeMutableRawPointer, from start: Int = 0, to end: Int) {
            self.memory = memory
            place = start
            self.end = end
        }

        mutating func append(_ text: String?) {
            guard let text else {
                memory.storeBytes(of: none, toByteOffset: place, as: UInt16.self)
                place += 2
                return
            }
            // All texts of the program and of requests are stored in one piece.
            if text.utf8.withContiguousStorageIfAvailable({ write($0) }) == nil {
                Array(text.utf8).withUnsafeBufferPointer { write($0) }
            }
        }

        private mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) {
            let start = place + 2
            // The following texts need room for at least their lengths.
            let room = min(longest, end - start - 8)
            var count = bytes.count
            if count > room {
                count = max(room, 0)
                while count > 0, bytes[count] & 0xC0 == 0x80 { count -= 1 }
            }
            if let base = bytes.baseAddress { (memory + start).copyMemory(from: base, byteCount: count) }
            memory.storeBytes(of: UInt16(count), toByteOffset: place, as: UInt16.self)
            place = start + count
        }
    }
}
