/// Path of a route: literal segments, and parameters for one segment each.
struct PathTemplate: Equatable {
    enum Segment: Equatable {
        case literal(String)
        case parameter(String)
    }

    let segments: [Segment]

    /// - Throws: ``LibeventServer/RouteError`` if it is not a template.
    init(_ text: String) throws {
        func malformed(_ reason: String) -> LibeventServer.RouteError {
            LibeventServer.RouteError(path: text, reason: reason)
        }
        guard text.hasPrefix("/") else { throw malformed("a path begins with '/'") }
        var names: Set<Substring> = []
        segments = try text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { segment in
            guard segment.contains("{") || segment.contains("}") else { return .literal(String(segment)) }
            let name = segment.dropFirst().dropLast()
            guard segment.hasPrefix("{"), segment.hasSuffix("}"), !name.isEmpty, !name.contains(where: "{}".contains)
            else { throw malformed("a parameter is a whole segment, such as '/{name}'") }
            guard names.insert(name).inserted else { throw malformed("two parameters are called '\(name)'") }
            return .parameter(String(name))
        }
    }

    var isLiteral: Bool { !segments.contains { if case .parameter = $0 { true } else { false } } }
}
