/// Headers in the order and case on the wire, without validation.
package struct HeaderLines: Sendable, ExpressibleByDictionaryLiteral {
    package private(set) var lines: [(name: String, value: String)]

    package init(_ lines: [(name: String, value: String)] = []) { self.lines = lines }

    package init(dictionaryLiteral elements: (String, String)...) {
        lines = elements.map { (name: $0.0, value: $0.1) }
    }

    package mutating func append(_ name: String, _ value: String) { lines.append((name: name, value: value)) }

    /// The first value of the field. The case of the name is ignored.
    package subscript(name: String) -> String? { values(of: name).first }

    package func values(of name: String) -> [String] {
        let wanted = name.lowercased()
        return lines.compactMap { $0.name.lowercased() == wanted ? $0.value : nil }
    }

    package func contains(_ name: String) -> Bool { self[name] != nil }

    /// Appends `name: value` lines, each with CR LF.
    func write(to output: inout [UInt8]) {
        for (name, value) in lines {
            output.append(contentsOf: name.utf8)
            output.append(contentsOf: ": ".utf8)
            output.append(contentsOf: value.utf8)
            output.append(contentsOf: "\r\n".utf8)
        }
    }
}
