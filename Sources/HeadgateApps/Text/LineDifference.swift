/// The changes between two texts in the unified format of `diff -u`.
package enum LineDifference {
    private enum Line {
        case same(String)
        case removed(String)
        case added(String)

        var isSame: Bool { if case .same = self { true } else { false } }
    }

    /// The number of unchanged lines before and after each change.
    private static let context = 3

    /// Returns the lines of a diff with its two headers; empty if the texts are equal.
    ///
    /// - Parameter path: The name in both headers.
    package static func lines(from old: String, to new: String, path: String) -> [String] {
        let script = script(TextLines.split(old), TextLines.split(new))
        let hunks = hunks(of: script)
        guard !hunks.isEmpty else { return [] }
        return ["--- \(old.isEmpty ? "/dev/null" : path)", "+++ \(new.isEmpty ? "/dev/null" : path)"]
            + hunks.flatMap { render(script, $0) }
    }

    /// Returns every line of both texts, in order.
    private static func script(_ old: [String], _ new: [String]) -> [Line] {
        var removed: Set<Int> = []
        var added: Set<Int> = []
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var lines: [Line] = []
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            if left < old.count, removed.contains(left) {
                lines.append(.removed(old[left]))
                left += 1
            } else if right < new.count, added.contains(right) {
                lines.append(.added(new[right]))
                right += 1
            } else {
                lines.append(.same(old[left]))
                (left, right) = (left + 1, right + 1)
            }
        }
        return lines
    }

    /// Returns the ranges of the script around its changes; ranges that touch are joined.
    private static func hunks(of script: [Line]) -> [Range<Int>] {
        var hunks: [Range<Int>] = []
        for (index, line) in script.enumerated() where !line.isSame {
            let start = max(0, index - context)
            let end = min(script.count, index + context + 1)
            if let last = hunks.last, last.upperBound >= start {
                hunks[hunks.count - 1] = last.lowerBound..<end
            } else {
                hunks.append(start..<end)
            }
        }
        return hunks
    }

    private static func render(_ script: [Line], _ hunk: Range<Int>) -> [String] {
        func count(_ range: Range<Int>, _ counts: (Line) -> Bool) -> Int { script[range].count(where: counts) }
        func isOld(_ line: Line) -> Bool { if case .added = line { false } else { true } }
        func isNew(_ line: Line) -> Bool { if case .removed = line { false } else { true } }
        func place(_ counts: (Line) -> Bool) -> String {
            let length = count(hunk, counts)
            // The position of an empty range is the line before it.
            let first = count(0..<hunk.lowerBound, counts) + (length > 0 ? 1 : 0)
            return length == 1 ? "\(first)" : "\(first),\(length)"
        }
        var lines = ["@@ -\(place(isOld)) +\(place(isNew)) @@"]
        for line in script[hunk] {
            let (mark, text) =
                switch line {
                case .same(let text): (" ", text)
                case .removed(let text): ("-", text)
                case .added(let text): ("+", text)
                }
            let isWhole = text.utf8.last == 0x0A
            lines.append(mark + (isWhole ? String(decoding: text.utf8.dropLast(), as: UTF8.self) : text))
            if !isWhole { lines.append("\\ No newline at end of file") }
        }
        return lines
    }
}
