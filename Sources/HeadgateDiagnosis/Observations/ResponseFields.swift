/// The header fields of a response. The case of their names is ignored when they are created.
package struct ResponseFields: Sendable, ExpressibleByDictionaryLiteral {
    private let fields: [(name: String, value: String)]

    package init(_ fields: [(name: String, value: String)]) {
        self.fields = fields.map { ($0.name.lowercased(), $0.value) }
    }

    package init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { (name: $0.0, value: $0.1) })
    }

    /// The values of all headers with that name, which must be in lower case, joined with commas; nil if there are
    /// none.
    package subscript(name: String) -> String? {
        let values = fields.filter { $0.name == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// Returns the words of a list such as `no-cache, no-transform`, in lower case and without their parameters.
    func words(_ name: String) -> [String] {
        (self[name] ?? "").lowercased().split(separator: ",").map { item in
            String(item.prefix { $0 != ";" && $0 != "=" }.filter { $0 != " " && $0 != "\t" })
        }
    }
}
