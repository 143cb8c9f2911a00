package import HTTPTypes
internal import HeadgateLibC

/// One operation of the server with its chain folded in.
package final class Route: Sendable {
    package let operationID: String
    package let method: HTTPRequest.Method
    /// Path, possibly with parameters. A single parameter can contain slashes: `/files/{name}`, `/jobs/{id}/cancel`. If
    /// there are two, the path ends with the second, and neither contains a slash: `/jobs/{id}/logs/{line}`.
    package let template: String
    /// Tag set by the owner of the routes; not read here.
    package let tag: UInt8
    package let isGet: Bool
    package let handler: RequestHandler

    package init(
        operationID: String, method: HTTPRequest.Method, template: String, tag: UInt8 = 0, handler: RequestHandler
    ) {
        self.operationID = operationID
        self.method = method
        self.template = template
        self.tag = tag
        isGet = method == .get
        self.handler = handler
    }
}

/// Finds the route of a request by the path's raw bytes: nothing is decoded or normalized before the match.
package struct Router: Sendable {
    package enum Match {
        case route(Route)
        case parameter(Route, name: String, value: String)
        case parameters(Route, [String: String])
        /// The path exists. `allowed` is the value of the `Allow` header.
        case methodNotAllowed(allowed: String)
        /// An OPTIONS request for a path that exists, or for `*`.
        case options(allowed: String)
        case notFound
        case unknownMethod
    }

    private struct ExactEntry: Sendable {
        let path: [UInt8]
        var routes: [Route]
    }

    private struct PrefixEntry: Sendable {
        let prefix: [UInt8]
        let parameter: String
        /// Text after the parameter; if there are two, the text between them.
        let suffix: [UInt8]
        /// Name of the second parameter; nil if there is one parameter.
        let last: String?
        var routes: [Route]
    }

    package let routes: [Route]
    /// Entries by the length of their paths.
    private var exact: [[ExactEntry]] = []
    private var prefixes: [PrefixEntry] = []
    private let knownMethods: [HTTPRequest.Method] = [
        .post, .get, .head, .options, .put, .patch, .delete, .trace, .query,
    ]

    package init(_ routes: [Route]) {
        self.routes = routes
        for route in routes {
            if let brace = route.template.firstIndex(of: "{") { addPrefix(route, brace) } else { addExact(route) }
        }
        // More specific templates come first.
        prefixes.sort { ($0.prefix.count, $0.suffix.count) > ($1.prefix.count, $1.suffix.count) }
    }

    private mutating func addExact(_ route: Route) {
        let path = Array(route.template.utf8)
        while exact.count <= path.count { exact.append([]) }
        if let index = exact[path.count].firstIndex(where: { $0.path == path }) {
            exact[path.count][index].routes.append(route)
        } else {
            exact[path.count].append(ExactEntry(path: path, routes: [route]))
        }
    }

    private mutating func addPrefix(_ route: Route, _ brace: String.Index) {
        let end = route.template.firstIndex(of: "}") ?? route.template.endIndex
        let prefix = Array(route.template[..<brace].utf8)
        let rest = route.template[end...].dropFirst()
        let suffix = Array(rest.prefix { $0 != "{" }.utf8)
        let last = rest.firstIndex(of: "{").map { String(rest[$0...].dropFirst().dropLast()) }
        if let index = prefixes.firstIndex(where: { $0.prefix == prefix && $0.suffix == suffix && $0.last == last }) {
            prefixes[index].routes.append(route)
        } else {
            let parameter = String(route.template[route.template.index(after: brace)..<end])
            prefixes.append(
                PrefixEntry(prefix: prefix, parameter: parameter, suffix: suffix, last: last, routes: [route]))
        }
    }

    /// - Parameter target: a path with its query, or `*`.
    package func match(_ method: HTTPRequest.Method, _ target: UnsafeRawBufferPointer) -> Match {
        guard knownMethods.contains(method) else { return .unknownMethod }
        if target.count == 1, target[0] == 0x2A { return .options(allowed: "GET, HEAD, POST, OPTIONS") }
        let path = target.slice(0..<(target.firstIndex(of: 0x3F, from: 0) ?? target.count))
        if path.count < exact.count {
            // Access is by index, since iterating would retain and release each entry.
            for index in exact[path.count].indices where Router.equal(path, exact[path.count][index].path) {
                return choose(exact[path.count][index].routes, method) { .route($0) }
            }
        }
        for entry in prefixes {
            guard path.count > entry.prefix.count + entry.suffix.count else { continue }
            let value = entry.prefix.count..<(path.count - entry.suffix.count)
            guard Router.equal(path.slice(0..<value.lowerBound), entry.prefix) else { continue }
            if let last = entry.last {
                guard let values = Router.values(path.slice(value.lowerBound..<path.count), around: entry.suffix)
                else { continue }
                return choose(entry.routes, method) {
                    .parameters($0, [entry.parameter: values.first, last: values.last])
                }
            }
            guard Router.equal(path.slice(value.upperBound..<path.count), entry.suffix) else { continue }
            let text = String(decoding: path.slice(value), as: UTF8.self)
            return choose(entry.routes, method) { .parameter($0, name: entry.parameter, value: text) }
        }
        return .notFound
    }

    /// Returns the two parameters around the text between them; nil if the text does not occur.
    private static func values(
        _ path: UnsafeRawBufferPointer, around middle: [UInt8]
    ) -> (first: String, last: String)? {
        let first = path.firstIndex(of: 0x2F, from: 0) ?? path.count
        let start = first + middle.count
        guard first > 0, start < path.count, equal(path.slice(first..<start), middle),
            path.firstIndex(of: 0x2F, from: start) == nil
        else { return nil }
        return (
            String(decoding: path.slice(0..<first), as: UTF8.self),
            String(decoding: path.slice(start..<path.count), as: UTF8.self)
        )
    }

    private static func equal(_ bytes: UnsafeRawBufferPointer, _ text: [UInt8]) -> Bool {
        bytes.count == text.count
            && text.withUnsafeBytes { other in
                guard let left = bytes.baseAddress, let right = other.baseAddress else { return true }
                return memcmp(left, right, bytes.count) == 0
            }
    }

    private func choose(_ candidates: [Route], _ method: HTTPRequest.Method, found: (Route) -> Match) -> Match {
        // A HEAD request is a GET whose body is not sent (RFC 9110 9.3.2).
        let wanted = method == .head ? .get : method
        for route in candidates where route.method == wanted { return found(route) }
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
