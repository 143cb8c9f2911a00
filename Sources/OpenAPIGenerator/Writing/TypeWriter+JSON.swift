/// Writing of the code by which types write their JSON.
extension TypeWriter {
    /// Declares a function that writes an object's members, sorted by the bytes of their names.
    func declareWriting(_ properties: [Property], in text: inout SourceText) {
        declareWriting(in: &text) { text in
            text.line("json.beginObject()")
            for property in properties.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
                let name = SourceLiteral.quoted(String(SourceLiteral.quotedJSON(property.name).dropFirst().dropLast()))
                let label = property.isRequired ? "" : "ifPresent: "
                text.line("try json.member(\(name), \(label)self.\(property.member))")
            }
            text.line("json.endObject()")
        }
    }

    /// Declares a function that writes one of several values.
    func declareWriting(of choices: [String], in text: inout SourceText) {
        declareWriting(in: &text) { text in
            text.line("switch self {")
            for choice in choices {
                text.line("case .\(choice)(let value): try value.write(to: &json)")
            }
            text.line("}")
        }
    }

    /// Declares a function that writes the members of several objects as one object.
    func declareWritingTogether(in text: inout SourceText) {
        declareWriting(in: &text) { $0.line("try json.encode(self)") }
    }

    private func declareWriting(in text: inout SourceText, _ body: (inout SourceText) -> Void) {
        text.gap()
        text.block("\(text.style.member)func write(to json: inout JSONText) throws", body)
    }
}
