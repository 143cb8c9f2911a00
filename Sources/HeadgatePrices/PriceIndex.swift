internal import HeadgatePrimitives

/// Finds the entry for a model: exact names first, then the longest matching pattern.
///
/// It is used by requests of models that the configuration does not name.
struct PriceIndex: Sendable, Equatable {
    let entries: [PriceEntry]
    /// The names by slot, the longest first in each slot.
    private let names: [Name]
    /// The indices in ``names`` at which the slots begin; the last one is the end of the last slot.
    private let starts: [Int]

    private struct Name: Sendable, Equatable {
        let text: [UInt8]
        let isPrefix: Bool
        let place: Int

        @inline(__always)
        func matches(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
            text.count == name.count || isPrefix && text.count < name.count ? name.starts(with: text) : false
        }
    }

    /// Names share a slot by their first two bytes, so that a lookup compares few of them. The last slot has the names
    /// that are too short for that.
    private static let slots = 1024

    private static func slot(of name: some Collection<UInt8>) -> Int {
        guard name.count > 1, let first = name.first else { return slots }
        return (Int(first) &* 33 ^ Int(name[name.index(after: name.startIndex)])) & (slots - 1)
    }

    init(_ entries: [PriceEntry]) {
        self.entries = entries
        var buckets = [[Name]](repeating: [], count: entries.isEmpty ? 0 : PriceIndex.slots + 1)
        for (place, entry) in entries.enumerated() {
            let prefix = entry.name.patternPrefix
            let text = Array((prefix ?? entry.name).utf8)
            buckets[PriceIndex.slot(of: text)].append(Name(text: text, isPrefix: prefix != nil, place: place))
        }
        names = buckets.flatMap { bucket in
            // A name comes before the pattern of the same length.
            bucket.sorted { ($0.text.count, $1.isPrefix ? 1 : 0) > ($1.text.count, $0.isPrefix ? 1 : 0) }
        }
        starts = buckets.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    }

    func place(of model: String) -> Int? {
        guard !entries.isEmpty else { return nil }
        var model = model
        return model.withUTF8 { name in
            place(of: name, in: PriceIndex.slot(of: name)) ?? place(of: name, in: PriceIndex.slots)
        }
    }

    private func place(of name: UnsafeBufferPointer<UInt8>, in slot: Int) -> Int? {
        for index in starts[slot]..<starts[slot + 1] where names[index].matches(name) { return names[index].place }
        return nil
    }

    /// Returns the index of a model's entry.
    ///
    /// - Parameter other: Another name of the model, which can be the same.
    func place(of model: String, or other: String) -> Int? {
        place(of: model) ?? (other.isExactly(model) ? nil : place(of: other))
    }

    func price(of model: String) -> TokenPrice? { place(of: model).map { entries[$0].price } }
}
