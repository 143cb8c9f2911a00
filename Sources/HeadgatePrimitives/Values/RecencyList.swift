/// Values by their keys, in the order of their last use. Each operation takes constant time.
package struct RecencyList<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Node: Sendable {
        var key: Key
        var value: Value
        var newer: Int?
        var older: Int?
    }

    private var nodes: [Node?] = []
    private var free: [Int] = []
    private var indices: [Key: Int] = [:]
    private var newest: Int?
    private var oldest: Int?
    /// The last index that ``nextInRound()`` looked at.
    private var round = 0

    package init() {}

    package var count: Int { indices.count }

    package func value(of key: Key) -> Value? { indices[key].flatMap { nodes[$0]?.value } }

    /// Makes the key the most recently used one.
    package mutating func touch(_ key: Key) {
        guard let index = indices[key] else { return }
        unlink(index)
        linkAsNewest(index)
    }

    /// Inserts a value as the most recently used one.
    ///
    /// - Returns: The value that it replaces.
    @discardableResult
    package mutating func insert(_ value: Value, for key: Key) -> Value? {
        let replaced = remove(key)
        let index = free.popLast() ?? nodes.count
        if index == nodes.count { nodes.append(nil) }
        nodes[index] = Node(key: key, value: value)
        indices[key] = index
        linkAsNewest(index)
        return replaced
    }

    @discardableResult
    package mutating func remove(_ key: Key) -> Value? {
        guard let index = indices.removeValue(forKey: key) else { return nil }
        unlink(index)
        let value = nodes[index]?.value
        nodes[index] = nil
        free.append(index)
        return value
    }

    /// The least recently used key.
    package var oldestKey: Key? { oldest.flatMap { nodes[$0]?.key } }

    /// Removes and returns the least recently used value.
    package mutating func removeOldest() -> Value? {
        guard let oldest, let key = nodes[oldest]?.key else { return nil }
        return remove(key)
    }

    /// Returns one value after the other in no particular order, and then begins again; nil for an index without a
    /// value.
    package mutating func nextInRound() -> (key: Key, value: Value)? {
        guard !nodes.isEmpty else { return nil }
        round = (round + 1) % nodes.count
        return nodes[round].map { ($0.key, $0.value) }
    }

    private mutating func unlink(_ index: Int) {
        let (newer, older) = (nodes[index]?.newer, nodes[index]?.older)
        if let newer { nodes[newer]?.older = older } else if newest == index { newest = older }
        if let older { nodes[older]?.newer = newer } else if oldest == index { oldest = newer }
        nodes[index]?.newer = nil
        nodes[index]?.older = nil
    }

    private mutating func linkAsNewest(_ index: Int) {
        nodes[index]?.older = newest
        if let newest { nodes[newest]?.newer = index }
        newest = index
        oldest = oldest ?? index
    }
}
