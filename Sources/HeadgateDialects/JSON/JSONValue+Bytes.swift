package import JSONBytes

extension JSONValue {
    /// - Parameter document: One JSON value, with nothing but white space around it.
    package init(_ document: UnsafeRawBufferPointer) throws(JSONError) {
        var cursor = JSONCursor(document)
        var values = 0
        self = try JSONValue(&cursor, &values)
        try cursor.finish()
    }

    /// Maximum values in one document. More would take memory out of all proportion to the document's bytes.
    package static let mostValues = 1_000_000

    package init(_ document: [UInt8]) throws(JSONError) {
        self = try document.withUnsafeBufferPointer { (bytes) throws(JSONError) in
            try JSONValue(UnsafeRawBufferPointer(bytes))
        }
    }

    /// Reads the next value. The cursor's limit on depth bounds the recursion.
    ///
    /// - Parameter values: Number of values read so far.
    private init(_ cursor: inout JSONCursor, _ values: inout Int) throws(JSONError) {
        values += 1
        guard values <= JSONValue.mostValues else { throw JSONError(.tooManyMembers, at: cursor.offset) }
        switch try cursor.kind() {
        case .object:
            var object = JSONObject()
            try cursor.beginObject()
            while let key = try cursor.nextKey() {
                object.members.append(
                    JSONObject.Member(name: cursor.decoded(key), value: try JSONValue(&cursor, &values)))
            }
            self = .object(object)
        case .array:
            var elements: [JSONValue] = []
            try cursor.beginArray()
            while try cursor.nextElement() { elements.append(try JSONValue(&cursor, &values)) }
            self = .array(elements)
        case .string: self = .string(cursor.decoded(try cursor.string()))
        case .number:
            let range = try cursor.skipValue()
            self = .number(String(decoding: cursor.bytes(in: range), as: UTF8.self))
        case .true, .false: self = .bool(try cursor.bool())
        case .null:
            try cursor.skipValue()
            self = .null
        }
    }

    /// Appends the value as compact JSON.
    package func append(to output: inout [UInt8]) {
        switch self {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let text): output.append(contentsOf: text.utf8)
        case .string(let text): JSONEscaping.append(text, to: &output)
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                element.append(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let object): object.append(to: &output)
        }
    }

    package var bytes: [UInt8] {
        var output: [UInt8] = []
        append(to: &output)
        return output
    }

    /// The value as compact JSON.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension JSONObject {
    func append(to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            JSONEscaping.append(member.name, to: &output)
            output.append(UInt8(ascii: ":"))
            member.value.append(to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }
}

/// Searches bytes for a text and skips most of them (Horspool's algorithm).
package struct ByteSearch: Sendable {
    private let text: [UInt8]
    /// How far the text can move, by the byte under its end.
    private let steps: [Int]

    /// - Parameter text: The text to search for; not empty.
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
