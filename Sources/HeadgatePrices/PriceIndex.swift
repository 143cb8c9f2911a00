internal import HeadgatePrimitives

/// Finds the entry for a model: exact names first, then the longest matching pattern. Asked at the end of every request
/// of a model that no configuration names.
struct PriceIndex: Sendable, Equatable {
    let entries: [PriceEntry]
    /// Places among the entries.
    private let exact: [ExactText: Int]
    /// Patterns by the first byte of their prefixes, longest first.
    private let patterns: [Pattern]
    /// Index of the first pattern for each first byte, and the number of patterns at the end.
    private let starts: [Int]
    /// Place of the pattern that every name matches.
    private let any: Int?

    private struct Pattern: Sendable, Equatable {
        let prefix: [UInt8]
        let place: Int
        /// The prefix's length and last byte, which rule out nearly every name without a look at the prefix.
        let count: Int
        let last: UInt8

        init(_ prefix: [UInt8], place: Int) {
            self.prefix = prefix
            self.place = place
            count = prefix.count
            last = prefix.last ?? 0
        }

        func matches(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
            count <= name.count && name[count - 1] == last && name.starts(with: prefix)
        }
    }

    init(_ entries: [PriceEntry]) {
        self.entries = entries
        var exact: [ExactText: Int] = [:]
        // Nearly every model that is looked for here is not there: room makes that known without a comparison.
        exact.reserveCapacity(4 * entries.count)
        var buckets = [[Pattern]](repeating: [], count: 256)
        var any: Int?
        for (place, entry) in entries.enumerated() {
            if let prefix = entry.name.patternPrefix.map({ Array($0.utf8) }) {
                guard let first = prefix.first else {
                    any = place
                    continue
                }
                buckets[Int(first)].append(Pattern(prefix, place: place))
            } else {
                exact[ExactText(entry.name)] = place
            }
        }
        self.exact = exact
        patterns = buckets.flatMap { $0.sorted { $0.prefix.count > $1.prefix.count } }
        starts = buckets.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
        self.any = any
    }

    func place(of model: String) -> Int? {
        guard !entries.isEmpty else { return nil }
        if !exact.isEmpty, let place = exact[ExactText(model)] { return place }
        var model = model
        return model.withUTF8 { octets in
            guard let first = octets.first else { return any }
            for index in starts[Int(first)]..<starts[Int(first) + 1] where patterns[index].matches(octets) {
                return patterns[index].place
            }
            return any
        }
    }

    /// - Parameter other: another name that it has, perhaps the same.
    func place(of model: String, or other: String) -> Int? {
        place(of: model) ?? (other.isExactly(model) ? nil : place(of: other))
    }

    func price(of model: String) -> TokenPrice? { place(of: model).map { entries[$0].price } }
}
