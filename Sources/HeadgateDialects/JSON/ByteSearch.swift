/// Looks for a text in bytes, most of which it skips (Horspool's way).
package struct ByteSearch: Sendable {
    private let text: [UInt8]
    /// By the byte under the end of the text: how far the text can move on.
    private let steps: [Int]

    /// - Parameter text: not empty.
    package init(_ text: String) {
        self.text = Array(text.utf8)
        var steps = [Int](repeating: self.text.count, count: 256)
        for (index, byte) in self.text.dropLast().enumerated() { steps[Int(byte)] = self.text.count - 1 - index }
        self.steps = steps
    }

    package func isFound(in bytes: UnsafeRawBufferPointer) -> Bool {
        var end = text.count - 1
        while end < bytes.count {
            if bytes[(end - text.count + 1)...end].elementsEqual(text) { return true }
            end += steps[Int(bytes[end])]
        }
        return false
    }
}
