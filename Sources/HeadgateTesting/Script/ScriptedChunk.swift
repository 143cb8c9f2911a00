internal import Synchronization

/// Bytes of a response's body that are sent together, once or several times.
package struct ScriptedChunk: Sendable {
    /// The parts of the text between the places of the running index.
    private let parts: [[UInt8]]
    /// The delay before each sending.
    package var delay: Duration
    /// A gate that replaces ``delay``, before each sending.
    package var gate: Gate?
    /// The number of times that the chunk is sent, at least one.
    package var count: Int
    /// Whether the chunk is sent only if the request has `stream_options.include_usage`.
    package var onlyWithUsage = false

    /// Creates a chunk.
    ///
    /// - Parameter text: The text, in which `{i}` is the running index, from 0.
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

    /// The number of bytes of all sendings.
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

/// Delays a scripted response until a test opens the gate. It can be used from any thread.
package final class Gate: Sendable {
    private let state = Atomic<Bool>(false)

    package init() {}

    package func open() { state.store(true, ordering: .releasing) }

    var isOpen: Bool { state.load(ordering: .acquiring) }
}
