internal import HeadgatePrimitives

/// Returns the candidate that a word most likely means; nil if none is close.
///
/// A candidate is close if at most a third of the longer word's bytes are inserted, deleted, replaced or swapped with
/// their neighbor. The case of ASCII letters does not count. A word of more than 64 bytes is close to nothing, which
/// bounds the work per candidate. The first of equally close candidates wins.
package func nearest(_ word: String, in candidates: some Sequence<String>) -> String? {
    let limit = 64
    guard word.utf8.count <= limit else { return nil }
    let target = Array(word.lowercasedASCII.utf8)
    var best: (candidate: String, distance: Int)?
    for candidate in candidates where candidate.utf8.count <= limit {
        let bytes = Array(candidate.lowercasedASCII.utf8)
        let allowed = max(target.count, bytes.count) / 3
        guard abs(target.count - bytes.count) <= allowed else { continue }
        let distance = editDistance(target, bytes)
        if distance <= allowed, distance < best?.distance ?? Int.max {
            best = (candidate, distance)
        }
    }
    return best?.candidate
}

/// Returns the number of insertions, deletions, replacements and swaps of neighbors (optimal string alignment).
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforePrevious = [Int](repeating: 0, count: right.count + 1)
    var previous = Array(0...right.count)
    var current = previous
    for row in 0..<left.count {
        current[0] = row + 1
        for column in 0..<right.count {
            let replaced = previous[column] + (left[row] == right[column] ? 0 : 1)
            var distance = min(replaced, previous[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                distance = min(distance, beforePrevious[column - 1] + 1)
            }
            current[column + 1] = distance
        }
        (beforePrevious, previous, current) = (previous, current, beforePrevious)
    }
    return previous[right.count]
}
