package import JSONBytes

/// A request for a response, as one turn of a conversation whose earlier turns are kept elsewhere: its input, and the
/// same request with what was said before it.
package struct ResponsesTurn: Sendable {
    /// Whether the response may be kept: `store` is not false.
    package private(set) var wishesKeeping = true
    private let request: [UInt8]
    private var input: Range<Int>?
    private var previous: Range<Int>?

    /// - Parameter request: an object.
    package init(_ request: [UInt8]) throws(JSONError) {
        self.request = request
        try request.withUnsafeBufferPointer { (bytes) throws(JSONError) in
            var cursor = JSONCursor(UnsafeRawBufferPointer(bytes))
            try cursor.beginObject()
            while let key = try cursor.nextKey() {
                // Of a repeated name the last member counts, as everywhere.
                if cursor.equals(key, "input") {
                    input = try cursor.skipValue()
                } else if cursor.equals(key, "previous_response_id") {
                    previous = try cursor.skipValue()
                } else if cursor.equals(key, "store") {
                    wishesKeeping = try cursor.kind() != .false
                    try cursor.skipValue()
                } else {
                    try cursor.skipValue()
                }
            }
        }
    }

    /// The items of its own input, with commas between them; a text is one item.
    package var items: [UInt8] {
        guard let input, let first = request[input].first else { return [] }
        switch first {
        case UInt8(ascii: "["): return JSONElements.trimmed(request[input].dropFirst().dropLast())
        case UInt8(ascii: "\""):
            return Array(#"{"type":"message","role":"user","content":"#.utf8) + request[input] + [0x7D]
        default: return []
        }
    }

    /// The request with all that was said before, which continues nothing else then.
    ///
    /// - Parameter history: items, with commas between them; empty ones are skipped.
    package func request(after history: [[UInt8]]) -> [UInt8] {
        var edits: [JSONEdit] = []
        let input = self.input ?? request.firstIndex(of: UInt8(ascii: "{")).map { $0 + 1..<$0 + 1 } ?? 0..<0
        let conversation = JSONElements.array(history + [items])
        edits.append(
            JSONEdit(
                input, self.input == nil ? Array("\"input\":".utf8) + conversation + Array(",".utf8) : conversation))
        if let previous { edits.append(JSONEdit(previous, Array("null".utf8))) }
        edits.sort { $0.range.lowerBound < $1.range.lowerBound }
        return request.withUnsafeBytes { JSONSplice.applying(edits, to: $0) }
    }

    /// The items of a whole response's output, with commas between them.
    package static func output(of response: [UInt8]) -> [UInt8] {
        let found = try? response.withUnsafeBufferPointer { (bytes) throws(JSONError) -> Range<Int>? in
            var cursor = JSONCursor(UnsafeRawBufferPointer(bytes))
            try cursor.beginObject()
            while let key = try cursor.nextKey() {
                let isOutput = cursor.equals(key, "output")
                let value = try cursor.skipValue()
                if isOutput { return value }
            }
            return nil
        }
        guard let range = found.flatMap({ $0 }), response[range].first == UInt8(ascii: "[") else { return [] }
        return JSONElements.trimmed(response[range].dropFirst().dropLast())
    }
}

/// Elements of an array as they stand between its brackets.
enum JSONElements {
    static func trimmed(_ elements: ArraySlice<UInt8>) -> [UInt8] {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        guard let first = elements.firstIndex(where: { !isSpace($0) }),
            let last = elements.lastIndex(where: { !isSpace($0) })
        else { return [] }
        return Array(elements[first...last])
    }

    static func array(_ pieces: [[UInt8]]) -> [UInt8] {
        var array: [UInt8] = [UInt8(ascii: "[")]
        array.reserveCapacity(pieces.reduce(2) { $0 + $1.count + 1 })
        for piece in pieces where !piece.isEmpty {
            if array.count > 1 { array.append(UInt8(ascii: ",")) }
            array.append(contentsOf: piece)
        }
        array.append(UInt8(ascii: "]"))
        return array
    }
}
