internal import HeadgatePrimitives

/// Creators of the latest stored responses, and the upstreams that store them: a ring buffer with hash chains.
///
/// It holds only digests, so its memory does not depend on the length of ids and names: 2.9 MB when full.
package struct ResponseMakers: Sendable {
    /// First half of a SHA-256 digest, which is still free of collisions in practice.
    private struct Mark: Equatable {
        let first: UInt64
        let second: UInt64

        init(_ digest: KeyDigest) { (first, second) = digest.firstHalf }
    }

    private struct Entry {
        let response: Mark
        let maker: Mark
        let upstream: UpstreamMark
        /// Index of the next entry in the same chain.
        var next: Int32
    }

    private var entries: [Entry] = []
    /// Index of the first entry of each chain.
    private var chains: [Int32] = []
    /// Index of the entry that the next one replaces once the ring is full.
    private var oldest = 0
    private let capacity: Int

    private static let none: Int32 = -1

    /// - Parameter capacity: a power of two.
    package init(capacity: Int = 65_536) { self.capacity = capacity }

    /// Records the maker of a response and the upstream that stores it.
    ///
    /// The first maker stays, so an id that an upstream uses twice gives no access to another key's response.
    mutating func note(_ response: KeyDigest, madeBy maker: KeyDigest, at upstream: UpstreamMark) {
        let response = Mark(response)
        if chains.isEmpty { chains = Array(repeating: ResponseMakers.none, count: capacity) }
        guard entry(of: response) == nil else { return }
        var entry = Entry(
            response: response, maker: Mark(maker), upstream: upstream, next: chains[chain(of: response)])
        let place: Int
        if entries.count < capacity {
            place = entries.count
            entries.append(entry)
        } else {
            place = oldest
            oldest = (oldest + 1) & (capacity - 1)
            unlink(place)
            entry.next = chains[chain(of: response)]
            entries[place] = entry
        }
        chains[chain(of: response)] = Int32(place)
    }

    /// Returns whether this caller is known to have created the response.
    func isMaker(_ maker: KeyDigest, of response: KeyDigest) -> Bool {
        entry(of: Mark(response))?.maker == Mark(maker)
    }

    /// Returns the upstream that stores the response; nil if it is not known.
    func upstream(of response: KeyDigest) -> UpstreamMark? { entry(of: Mark(response))?.upstream }

    private func chain(of response: Mark) -> Int { Int(truncatingIfNeeded: response.first) & (capacity - 1) }

    private func entry(of response: Mark) -> Entry? {
        guard !chains.isEmpty else { return nil }
        var place = chains[chain(of: response)]
        while place != ResponseMakers.none {
            let entry = entries[Int(place)]
            if entry.response == response { return entry }
            place = entry.next
        }
        return nil
    }

    /// Removes the entry at an index from its chain.
    private mutating func unlink(_ place: Int) {
        let chain = chain(of: entries[place].response)
        let after = entries[place].next
        guard chains[chain] != Int32(place) else {
            chains[chain] = after
            return
        }
        var before = Int(chains[chain])
        while entries[before].next != Int32(place) { before = Int(entries[before].next) }
        entries[before].next = after
    }
}
