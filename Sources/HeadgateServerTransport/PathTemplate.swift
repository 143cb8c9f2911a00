/// Path of a route: literal segments, and parameters that are whole segments or parts of one.
struct PathTemplate: Equatable {
    enum Segment: Equatable {
        case literal(String)
        case parameter(String)
        /// Parameters between literals; there is one more literal than parameters.
        case mixed(literals: [String], names: [String])
    }

    let segments: [Segment]

    /// - Throws: ``LibeventServer/RouteError`` if the text is not a template.
    init(_ text: String) throws {
        func malformed(_ reason: String) -> LibeventServer.RouteError {
            LibeventServer.RouteError(path: text, reason: reason)
        }
        guard text.hasPrefix("/") else { throw malformed("a path begins with '/'") }
        var names: Set<Substring> = []
        segments = try text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { segment in
            guard segment.contains("{") || segment.contains("}") else { return .literal(String(segment)) }
            guard let parts = PathTemplate.parts(segment) else {
                throw malformed("a parameter has a name in braces, and there is a text between two of them")
            }
            for name in parts.names where !names.insert(name).inserted {
                throw malformed("two parameters are called '\(name)'")
            }
            if parts.literals == ["", ""] { return .parameter(String(parts.names[0])) }
            return .mixed(literals: parts.literals.map(String.init), names: parts.names.map(String.init))
        }
    }

    /// Returns the parameters of a segment, and the literals around them; nil if it is malformed.
    private static func parts(_ segment: Substring) -> (literals: [Substring], names: [Substring])? {
        var (literals, names): ([Substring], [Substring]) = ([], [])
        var rest = segment
        while let start = rest.firstIndex(of: "{") {
            guard let end = rest[start...].firstIndex(of: "}") else { return nil }
            literals.append(rest[..<start])
            names.append(rest[rest.index(after: start)..<end])
            rest = rest[rest.index(after: end)...]
        }
        literals.append(rest)
        guard literals.allSatisfy({ !$0.contains("}") }), literals.dropFirst().dropLast().allSatisfy({ !$0.isEmpty }),
            names.allSatisfy({ !$0.isEmpty && !$0.contains("{") })
        else { return nil }
        return (literals, names)
    }

    /// Returns the values between literals, each but the last as short as possible and none empty; nil if they do not
    /// fit. One pass is enough: if the first place of a literal does not fit, no later one does.
    static func values(of segment: Substring, between literals: [String]) -> [Substring]? {
        guard let first = literals.first, let last = literals.last, segment.hasPrefix(first) else { return nil }
        var rest = segment.dropFirst(first.count)
        var values: [Substring] = []
        for literal in literals.dropFirst().dropLast() {
            guard let place = rest.dropFirst().firstRange(of: literal) else { return nil }
            values.append(rest[..<place.lowerBound])
            rest = rest[place.upperBound...]
        }
        guard rest.count > last.count, rest.hasSuffix(last) else { return nil }
        return values + [rest.dropLast(last.count)]
    }

    var isLiteral: Bool { segments.allSatisfy { if case .literal = $0 { true } else { false } } }
}
