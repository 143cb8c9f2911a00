internal import JSONBytes

/// Reads a script's JSON, and knows the place of every value for error messages.
struct ScriptReader {
    private var cursor: JSONCursor
    private let bytes: UnsafeRawBufferPointer
    private var place = ""

    /// Creates a reader.
    ///
    /// - Parameter bytes: The bytes, which are borrowed while the reader is used.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        cursor = JSONCursor(bytes, maximumDepth: 16)
    }

    func problem(_ text: String) -> ScriptError {
        ScriptError(place: place.isEmpty ? "the script" : place, problem: text)
    }

    /// Reads an object.
    ///
    /// - Parameter member: Reads a member's value; returns false if it does not know the key.
    mutating func object(_ member: (String, inout ScriptReader) throws(ScriptError) -> Bool) throws(ScriptError) {
        try read("an object") { (cursor) throws(JSONError) in try cursor.beginObject() }
        let outer = place
        while let key = try read("a key", { (cursor) throws(JSONError) in try cursor.nextKey() }) {
            let name = cursor.decoded(key)
            place = outer.isEmpty ? name : "\(outer).\(name)"
            guard try member(name, &self) else { throw problem("is not a known key") }
        }
        place = outer
    }

    mutating func array<Element>(
        _ element: (inout ScriptReader) throws(ScriptError) -> Element
    ) throws(ScriptError) -> [Element] {
        try read("an array") { (cursor) throws(JSONError) in try cursor.beginArray() }
        let outer = place
        var elements: [Element] = []
        while try read("an element", { (cursor) throws(JSONError) in try cursor.nextElement() }) {
            place = "\(outer)[\(elements.count)]"
            elements.append(try element(&self))
        }
        place = outer
        return elements
    }

    mutating func string() throws(ScriptError) -> String {
        try read("a string") { (cursor) throws(JSONError) in
            let string = try cursor.string()
            return cursor.decoded(string)
        }
    }

    mutating func bool() throws(ScriptError) -> Bool {
        try read("true or false") { (cursor) throws(JSONError) in try cursor.bool() }
    }

    mutating func integer(_ range: ClosedRange<Int>) throws(ScriptError) -> Int {
        let number = try read("a number") { (cursor) throws(JSONError) in try cursor.integer() }
        guard let number, range.contains(number) else {
            throw problem("must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    mutating func milliseconds() throws(ScriptError) -> Duration { .milliseconds(try integer(0...3_600_000)) }

    /// Reads one of an enumeration's raw values.
    mutating func word<Word: RawRepresentable & CaseIterable>(
        _ words: [Word]
    ) throws(ScriptError) -> Word where Word.RawValue == String {
        let text = try string()
        guard let word = words.first(where: { $0.rawValue == text }) else {
            throw problem("must be one of \(words.map(\.rawValue).joined(separator: ", "))")
        }
        return word
    }

    mutating func finish() throws(ScriptError) {
        try read("the end") { (cursor) throws(JSONError) in try cursor.finish() }
    }

    private mutating func read<Value>(
        _ expected: String, _ body: (inout JSONCursor) throws(JSONError) -> Value
    ) throws(ScriptError) -> Value {
        do throws(JSONError) {
            return try body(&cursor)
        } catch {
            if error.kind == .unexpectedKind { throw problem("must be \(expected)") }
            let before = bytes.prefix(error.offset)
            let line = before.reduce(1) { $0 + ($1 == 0x0A ? 1 : 0) }
            let column = before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
            throw ScriptError(place: "line \(line), column \(column)", problem: error.description)
        }
    }
}

/// The reason why a script was rejected, in one line.
package struct ScriptError: Error, Equatable, CustomStringConvertible {
    /// The place of the error, such as `exchanges[0].response.status`, or the line and column of invalid JSON.
    package let place: String
    package let problem: String

    package var description: String { "\(place): \(problem)" }
}
