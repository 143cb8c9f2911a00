internal import Glibc

/// The ids of the kinds of requests that were written lately: one for each value of a hash.
struct LedgerKindCache {
    private struct Line {
        let hash: UInt64
        let numbers: UInt64
        let texts: [UInt8]
        let id: Int64
        let last: Int64
    }

    /// Milliseconds after which the database is told that a kind is used.
    static let refreshed: Int64 = 3_600_000

    private var lines: [Line?] = Array(repeating: nil, count: 256)

    /// Nil where the database is to be asked.
    func id(of row: LedgerRow) -> Int64? {
        let (texts, numbers) = (row.commonTexts, row.commonNumbers)
        let hash = LedgerKindCache.hash(texts, numbers)
        guard let line = lines[Int(hash >> 56)], line.hash == hash, line.numbers == numbers,
            line.texts.count == texts.count, row.endedAt &- line.last < LedgerKindCache.refreshed,
            line.texts.withUnsafeBytes({ known in
                guard let known = known.baseAddress, let new = texts.baseAddress else { return false }
                return memcmp(known, new, texts.count) == 0
            })
        else { return nil }
        return line.id
    }

    mutating func keep(_ id: Int64, for row: LedgerRow) {
        let (texts, numbers) = (row.commonTexts, row.commonNumbers)
        let hash = LedgerKindCache.hash(texts, numbers)
        lines[Int(hash >> 56)] = Line(hash: hash, numbers: numbers, texts: Array(texts), id: id, last: row.endedAt)
    }

    private static func hash(_ texts: UnsafeRawBufferPointer, _ numbers: UInt64) -> UInt64 {
        var hash = numbers ^ UInt64(texts.count)
        func mix(_ word: UInt64) {
            hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 32
        }
        var place = 0
        while place + 8 <= texts.count {
            mix(texts.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            place += 8
        }
        for byte in texts[place...] { mix(UInt64(byte)) }
        return hash &* 0x9E37_79B9_7F4A_7C15
    }
}
