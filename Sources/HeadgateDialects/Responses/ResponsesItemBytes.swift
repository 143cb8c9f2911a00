/// An item of a response's output, as far as it has arrived.
struct ResponsesItemBytes {
    /// Index in the output.
    let index: Int
    let id: String
    let type: String
    /// Whether the item has a status. Reasoning has none, because providers reject one in a history.
    let hasStatus: Bool
    /// Members that the item has from the start, with a comma before each.
    var head: [UInt8] = []
    /// Name and empty value of the member that arrives in pieces.
    let body: (name: String, empty: String)
    /// Current value of the member; nil while it is empty.
    var content: [UInt8]?
    /// Members that the item gets at its end, with a comma before each.
    var tail: [UInt8] = []

    /// Members by which events identify their item.
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
    /// Separator between the parts of a text.
    static let paragraph = "\n\n"
    /// Parameter of a function that represents a tool with free-text input.
    static let freeText = "input"
    // Reasons for an incomplete response.
    static let outOfTokens = "max_output_tokens"
    static let filtered = "content_filter"
}
