/// An item of a response's output, as far as it has come.
struct ResponsesItemBytes {
    /// Its place in the output.
    let index: Int
    let id: String
    let type: String
    /// Whether the status is one of its members. Reasoning has none: providers refuse one in a history.
    let hasStatus: Bool
    /// Members that it has from the start, with a comma before each.
    var head: [UInt8] = []
    /// The member that arrives in pieces: its name, and its empty value.
    let body: (name: String, empty: String)
    /// Current value of the member; nil while it is empty.
    var content: [UInt8]?
    /// Members that it has at its end, with a comma before each.
    var tail: [UInt8] = []

    /// The members by which events say which item they are about.
    var location: [UInt8] {
        Array(#","item_id":"\#(id)","output_index":\#(index)"#.utf8)
    }

    func append(_ status: ResponsesStatus, to output: inout [UInt8]) {
        output.write(#"{"id":""#)
        output.write(id)
        output.write(#"","type":""#)
        output.write(type)
        if hasStatus {
            output.write(#"","status":""#)
            output.write(status.word)
        }
        output.write("\"")
        output.append(contentsOf: head)
        output.write(",\"")
        output.write(body.name)
        output.write("\":")
        if let content { output.append(contentsOf: content) } else { output.write(body.empty) }
        output.append(contentsOf: tail)
        output.write("}")
    }
}

/// Words of the Responses format that its readers and writers share.
enum ResponsesItem {
    /// Between parts of a text that was one.
    static let paragraph = "\n\n"
    /// Parameter of a function that represents a tool for free text.
    static let freeText = "input"
    // Why a response is incomplete.
    static let outOfTokens = "max_output_tokens"
    static let filtered = "content_filter"
}
