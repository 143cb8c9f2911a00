internal import Synchronization

/// Bytes of a response's body that are sent together, once or many times.
package struct ScriptedChunk: Sendable {
    /// The text between the places where the running index goes.
    private let parts: [[UInt8]]
    /// Waited before each sending.
    package var delay: Duration
    /// Waited for instead, each time.
    package var gate: Gate?
    /// How often it is sent, at least once.
    package var count: Int
    /// Sent only if the request asked with `stream_options.include_usage`.
    package var onlyWithUsage = false

    /// - Parameter text: the text, in which `{i}` is the running index, from 0.
    package init(_ text: String, delay: Duration = .zero, repeat count: Int = 1) {
        parts = ScriptedChunk.cut(Array(text.utf8))
        self.delay = delay
        self.count = max(1, count)
    }

    package init(bytes: [UInt8], delay: Duration = .zero, repeat count: Int = 1) {
        parts = [bytes]
        self.delay = delay
        self.count = max(1, count)
    }

    /// Returns the bytes of one sending.
    package func bytes(index: Int = 0) -> [UInt8] {
        var bytes: [UInt8] = []
        append(index: index, to: &bytes)
        return bytes
    }

    /// All bytes of all sendings.
    var totalBytes: Int {
        let fixed = parts.reduce(0) { $0 + $1.count } * count
        guard parts.count > 1 else { return fixed }
        return (0..<count).reduce(fixed) { $0 + (parts.count - 1) * String($1).utf8.count }
    }

    func append(index: Int, to output: inout [UInt8]) {
        output.append(contentsOf: parts[0])
        for part in parts.dropFirst() {
            output.append(contentsOf: String(index).utf8)
            output.append(contentsOf: part)
        }
    }

    private static func cut(_ text: [UInt8]) -> [[UInt8]] {
        let place = Array("{i}".utf8)
        var parts: [[UInt8]] = []
        var start = 0
        var position = 0
        while position + place.count <= text.count {
            if text[position..<position + place.count].elementsEqual(place) {
                parts.append(Array(text[start..<position]))
                position += place.count
                start = position
            } else {
                position += 1
            }
        }
        return parts + [Array(text[start...])]
    }
}

/// Holds a scripted response until a test opens it. From any thread.
package final class Gate: Sendable {
    private let state = Atomic<Bool>(false)

    package init() {}

    package func open() { state.store(true, ordering: .releasing) }

    var isOpen: Bool { state.load(ordering: .acquiring) }
}
