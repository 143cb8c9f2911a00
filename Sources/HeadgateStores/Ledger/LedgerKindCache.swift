/// Ids of recently written kinds of requests, one for each value of a hash.
struct LedgerKindCache {
    private struct Line {
        let kind: LedgerRow.Kind
        let id: Int64
        let last: Int64
    }

    /// Milliseconds after which the use of a kind is recorded again.
    static let refreshed: Int64 = 3_600_000

    private var lines: [Line?] = Array(repeating: nil, count: 512)

    /// Returns the id of a row's kind; nil if the database must be queried.
    func id(of row: LedgerRow) -> Int64? {
        guard let kind = row.commonKind, let line = lines[kind.hash], line.kind == kind,
            row.endedAt &- line.last < LedgerKindCache.refreshed
        else { return nil }
        return line.id
    }

    mutating func keep(_ id: Int64, for row: LedgerRow) {
        guard let kind = row.commonKind else { return }
        lines[kind.hash] = Line(kind: kind, id: id, last: row.endedAt)
    }
}

extension LedgerRow.Kind {
    /// Index of the cache's line.
    fileprivate var hash: Int {
        let places = UInt64(begun) << 32 | UInt64(ended)
        let mixed = ((places &* 0x9E37_79B9_7F4A_7C15) ^ numbers) &* 0x9E37_79B9_7F4A_7C15
        return Int(mixed >> 55)
    }
}
