internal import HTTPTypes
internal import HeadgateHTTP

/// Router that matches a path as it was sent: nothing is decoded or normalized before the match.
struct PathRouter<Handler: Sendable>: Sendable {
    enum Match {
        /// Parameters are not percent-decoded.
        case route(Handler, parameters: [String: String])
        /// The path exists. `allowed` is the value of the `Allow` header.
        case methodNotAllowed(allowed: String)
        case notFound
    }

    /// Routes of one path. Its parameters can have other names in another method's template.
    private struct Endpoint: Sendable {
        var routes: [(method: HTTPRequest.Method, template: PathTemplate, handler: Handler)] = []

        /// - Returns: whether the method had no route before; if it had, nothing is added.
        mutating func add(_ handler: Handler, _ method: HTTPRequest.Method, _ template: PathTemplate) -> Bool {
            guard index(of: method) == nil else { return false }
            routes.append((method, template, handler))
            return true
        }

        func index(of method: HTTPRequest.Method) -> Int? {
            routes.indices.first { routes[$0].method == method }
        }
    }

    /// Continuations of the segments so far.
    private struct Node: Sendable {
        var literals: [Substring: Node] = [:]
        /// Segments that mix parameters and literals, those with the most literal text first.
        var mixed: [(literals: [String], next: Node)] = []
        /// Continuation after a parameter. An array of at most one element, because a node cannot contain itself.
        var parameter: [Node] = []
        var endpoint: Endpoint?

        mutating func add(
            _ handler: Handler, _ method: HTTPRequest.Method, _ template: PathTemplate,
            under rest: ArraySlice<PathTemplate.Segment>
        ) -> Bool {
            switch rest.first {
            case nil:
                var here = endpoint ?? Endpoint()
                defer { endpoint = here }
                return here.add(handler, method, template)
            case .literal(let text)?:
                return literals[text[...], default: Node()].add(handler, method, template, under: rest.dropFirst())
            case .mixed(let texts, _)?:
                if let index = mixed.firstIndex(where: { $0.literals == texts }) {
                    return mixed[index].next.add(handler, method, template, under: rest.dropFirst())
                }
                var next = Node()
                let isNew = next.add(handler, method, template, under: rest.dropFirst())
                let length = texts.joined().count
                let index = mixed.firstIndex { $0.literals.joined().count < length } ?? mixed.count
                mixed.insert((texts, next), at: index)
                return isNew
            case .parameter?:
                if parameter.isEmpty { parameter = [Node()] }
                return parameter[0].add(handler, method, template, under: rest.dropFirst())
            }
        }
    }

    /// Paths without parameters, each with its index in ``literals``.
    private var paths = PathTable()
    private var literals: [Endpoint] = []
    private var root = Node()

    /// - Throws: ``LibeventServer/RouteError`` if the path is not a template, or the route exists already.
    mutating func add(_ handler: Handler, method: HTTPRequest.Method, path: String) throws {
        let template = try PathTemplate(path)
        let isNew =
            template.isLiteral
            ? addLiteral(handler, method, template, path)
            : root.add(handler, method, template, under: template.segments[...])
        if !isNew {
            throw LibeventServer.RouteError(path: path, reason: "there is a route for \(method) already")
        }
    }

    private mutating func addLiteral(
        _ handler: Handler, _ method: HTTPRequest.Method, _ template: PathTemplate, _ path: String
    ) -> Bool {
        let number = paths.insert(path)
        if number == literals.count { literals.append(Endpoint()) }
        return literals[number].add(handler, method, template)
    }

    /// - Parameter target: the bytes of the path, with an optional query.
    func match(_ method: HTTPRequest.Method, _ target: UnsafeRawBufferPointer) -> Match {
        let path = UnsafeRawBufferPointer(rebasing: target[..<(target.firstIndex(of: 0x3F, from: 0) ?? target.count)])
        if let number = paths.number(of: path) { return choose(literals[number], method, []) }
        guard path.first == 0x2F else { return .notFound }
        let segments = String(decoding: path.dropFirst(), as: UTF8.self)
            .split(separator: "/", omittingEmptySubsequences: false)
        guard let endpoint = PathRouter.find(segments[...], under: root) else { return .notFound }
        return choose(endpoint, method, segments)
    }

    /// Finds the endpoint of a path. Literal segments take precedence over parameters, segment by segment.
    private static func find(_ segments: ArraySlice<Substring>, under node: Node) -> Endpoint? {
        guard let segment = segments.first else { return node.endpoint }
        if let next = node.literals[segment], let found = find(segments.dropFirst(), under: next) { return found }
        for (literals, next) in node.mixed where PathTemplate.values(of: segment, between: literals) != nil {
            if let found = find(segments.dropFirst(), under: next) { return found }
        }
        // An empty segment matches no parameter.
        guard !segment.isEmpty, let next = node.parameter.first else { return nil }
        return find(segments.dropFirst(), under: next)
    }

    private func choose(_ endpoint: Endpoint, _ method: HTTPRequest.Method, _ segments: [Substring]) -> Match {
        // A HEAD request is a GET whose body is not sent (RFC 9110 section 9.3.2), unless it has its own route.
        let index = endpoint.index(of: method) ?? (method == .head ? endpoint.index(of: .get) : nil)
        guard let index else {
            let methods = endpoint.routes.map(\.method.rawValue)
            let all = methods.contains("GET") && !methods.contains("HEAD") ? methods + ["HEAD"] : methods
            return .methodNotAllowed(allowed: all.joined(separator: ", "))
        }
        var parameters: [String: String] = [:]
        if !segments.isEmpty {
            for (segment, text) in zip(endpoint.routes[index].template.segments, segments) {
                switch segment {
                case .literal: break
                case .parameter(let name): parameters[name] = String(text)
                case .mixed(let literals, let names):
                    let values = PathTemplate.values(of: text, between: literals) ?? []
                    for (name, value) in zip(names, values) { parameters[name] = String(value) }
                }
            }
        }
        return .route(endpoint.routes[index].handler, parameters: parameters)
    }
}
