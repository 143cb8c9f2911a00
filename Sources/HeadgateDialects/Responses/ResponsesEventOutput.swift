import JSONBytes

/// Writes the events of a stream with their types and numbers.
struct ResponsesEventOutput {
    /// Number of events written so far.
    private(set) var count = 0

    /// Begins an event. Its own members follow, each with a comma before it.
    mutating func begin(_ type: String, to output: inout [UInt8]) {
        output.write("event: ")
        output.write(type)
        output.write("\ndata: {\"type\":\"")
        output.write(type)
        output.write("\",\"sequence_number\":")
        output.write(count)
        count += 1
    }

    func end(_ output: inout [UInt8]) { output.write("}\n\n") }
}

/// A text that arrives in pieces. It is stored as escaped JSON, because the end of its item repeats it.
struct ResponsesText {
    private(set) var escaped: [UInt8] = []

    /// Appends a piece to the text and, as a JSON string, to the output.
    mutating func append(_ piece: String, to output: inout [UInt8]) {
        let start = output.count
        JSONEscaping.append(piece, to: &output)
        escaped.append(contentsOf: output[(start + 1)..<(output.count - 1)])
    }

    /// Appends the whole text as a JSON string.
    func appendWhole(to output: inout [UInt8]) {
        output.write("\"")
        output.append(contentsOf: escaped)
        output.write("\"")
    }
}

extension [UInt8] {
    mutating func write(_ text: String) { append(contentsOf: text.utf8) }

    mutating func write(_ number: Int) { append(contentsOf: String(number).utf8) }
}
