internal import HeadgateLibC

/// Whole paths, numbered from 0, which are found by the raw bytes of a path.
package struct PathTable: Sendable {
    private struct Entry: Sendable {
        let path: [UInt8]
        let number: Int
    }

    /// Entries by the length of their paths.
    private var entries: [[Entry]] = []
    private var count = 0

    package init() {}

    /// - Returns: the number of the path; a new one gets the next number.
    package mutating func insert(_ path: String) -> Int {
        let path = Array(path.utf8)
        if let number = path.withUnsafeBytes(number) { return number }
        while entries.count <= path.count { entries.append([]) }
        entries[path.count].append(Entry(path: path, number: count))
        defer { count += 1 }
        return count
    }

    package func number(of path: UnsafeRawBufferPointer) -> Int? {
        guard path.count < entries.count else { return nil }
        // Access is by index, since iterating would retain and release each entry.
        for index in entries[path.count].indices where path.equals(entries[path.count][index].path) {
            return entries[path.count][index].number
        }
        return nil
    }
}

extension UnsafeRawBufferPointer {
    func equals(_ bytes: [UInt8]) -> Bool {
        count == bytes.count
            && bytes.withUnsafeBytes { other in
                guard let left = baseAddress, let right = other.baseAddress else { return true }
                return memcmp(left, right, count) == 0
            }
    }
}
