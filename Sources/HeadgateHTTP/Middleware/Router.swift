package import HTTPTypes

/// One operation of the server with its chain folded in.
package struct Route: Sendable {
    package let operationID: String
    package let method: HTTPRequest.Method
    /// A path, or one with one parameter: `/v1/models/{model}`, `/v1/responses/{id}/cancel`. The parameter takes all that stands
    /// there, slashes included.
    package let template: String
    package let handler: ServerHandler

    package init(operationID: String, method: HTTPRequest.Method, template: String, handler: @escaping ServerHandler) {
        self.operationID = operationID
        self.method = method
        self.template = template
        self.handler = handler
    }
}

/// Finds the route of a request, on the path's raw text: nothing is decoded or normalised before it has matched.
package struct Router: Sendable {
    package enum Match {
        case route(Route, parameters: [String: String])
        /// The path exists. `allowed` is the value of the `Allow` field.
        case methodNotAllowed(allowed: String)
        /// An OPTIONS request for a path that exists, or for `*`.
        case options(allowed: String)
        case notFound
        case unknownMethod
    }

    private struct PrefixEntry: Sendable {
        let prefix: String
        let parameter: String
        let suffix: String
        var routes: [Route]
    }

    package let routes: [Route]
    private var exact: [String: [Route]] = [:]
    private var prefixes: [PrefixEntry] = []
    private let knownMethods: [HTTPRequest.Method] = [
        .get, .post, .head, .options, .put, .patch, .delete, .trace, .query,
    ]

    package init(_ routes: [Route]) {
        self.routes = routes
        for route in routes {
            guard let brace = route.template.firstIndex(of: "{") else {
                exact[route.template, default: []].append(route)
                continue
            }
            let end = route.template.firstIndex(of: "}") ?? route.template.endIndex
            let prefix = String(route.template[..<brace])
            let suffix = String(route.template[end...].dropFirst())
            if let index = prefixes.firstIndex(where: { $0.prefix == prefix && $0.suffix == suffix }) {
                prefixes[index].routes.append(route)
            } else {
                let parameter = String(route.template[route.template.index(after: brace)..<end])
                prefixes.append(PrefixEntry(prefix: prefix, parameter: parameter, suffix: suffix, routes: [route]))
            }
        }
        // What says more about a path is asked first.
        prefixes.sort { ($0.prefix.utf8.count, $0.suffix.utf8.count) > ($1.prefix.utf8.count, $1.suffix.utf8.count) }
    }

    package func match(_ method: HTTPRequest.Method, _ path: String) -> Match {
        guard knownMethods.contains(method) else { return .unknownMethod }
        if path == "*" { return .options(allowed: "GET, HEAD, POST, OPTIONS") }
        let question = path.utf8.firstIndex(of: 0x3F)
        let pathOnly = question.map { String(path[..<$0]) } ?? path
        if let candidates = exact[pathOnly] { return choose(candidates, method, parameters: [:]) }
        for entry in prefixes where pathOnly.hasPrefix(entry.prefix) && pathOnly.hasSuffix(entry.suffix) {
            guard pathOnly.utf8.count > entry.prefix.utf8.count + entry.suffix.utf8.count else { continue }
            let value = String(pathOnly.dropFirst(entry.prefix.count).dropLast(entry.suffix.count))
            return choose(entry.routes, method, parameters: [entry.parameter: value])
        }
        return .notFound
    }

    private func choose(_ candidates: [Route], _ method: HTTPRequest.Method, parameters: [String: String]) -> Match {
        // A HEAD request is a GET whose body is not sent (RFC 9110 9.3.2).
        let wanted = method == .head ? .get : method
        if let route = candidates.first(where: { $0.method == wanted }) { return .route(route, parameters: parameters) }
        var methods = candidates.map(\.method.rawValue)
        if methods.contains("GET") { methods.append("HEAD") }
        let allowed = (methods + ["OPTIONS"]).joined(separator: ", ")
        return method == .options ? .options(allowed: allowed) : .methodNotAllowed(allowed: allowed)
    }
}

extension HTTPRequest.Method {
    /// A safe request with a body; no route takes it yet.
    fileprivate static let query = HTTPRequest.Method("QUERY") ?? .get
}
