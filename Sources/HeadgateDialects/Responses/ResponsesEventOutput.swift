import JSONBytes

/// Writes the events of a stream, each with its type and its number.
struct ResponsesEventOutput {
    /// How many have been written.
    private(set) var count = 0

    /// The beginning of an event, up to where its own members follow, each with a comma before it.
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

/// A text that arrives in pieces, stored as escaped JSON because its end repeats it.
struct ResponsesText {
    private(set) var escaped: [UInt8] = []

    /// Appends the piece as a JSON string to the output as well.
    mutating func append(_ piece: String, to output: inout [UInt8]) {
        let start = output.count
        JSONEscaping.append(piece, to: &output)
        escaped.append(contentsOf: output[(start + 1)..<(output.count - 1)])
    }

    /// Appends all of it as a JSON string.
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
