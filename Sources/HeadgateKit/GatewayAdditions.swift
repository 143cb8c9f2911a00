internal import HTTPTypes
internal import HeadgateContract
internal import HeadgateGateway
public import HeadgateHTTP
public import HeadgateOpenAPI
internal import HeadgatePrimitives
internal import HeadgateRelay
internal import HeadgateUpstream

/// Additions of a program to its ``Gateway``.
///
/// Requests pass additions in the order in which they were added. Without `before:`, an addition comes after the
/// built-in capabilities around requests, such as the cache, and before those at the upstream, such as recording.
public struct GatewayAdditions: Sendable {
    private(set) var capabilities: [Capability] = []
    private var routes: [OperationDescription] = []
    private var missing: [CapabilityName] = []

    /// Adds middleware around each relayed request. It sees the request of a known caller, in the client's dialect, and
    /// the response as the client receives it.
    ///
    /// The body is nil for multipart forms. Middleware costs one task per request.
    ///
    /// - Parameter position: the capability that a request reaches next.
    public mutating func use(_ middleware: any ServerMiddleware, before position: CapabilityName? = nil) {
        add(.added(name(of: middleware), perRequest: RequestTask(middleware)), before: position)
    }

    /// Adds middleware around each attempt at an upstream. It sees the request in the upstream's dialect, and the
    /// response before translation. Each retry and each further target is a separate attempt.
    ///
    /// - Parameter position: the capability that an attempt reaches next.
    public mutating func use(_ middleware: any ClientMiddleware, before position: CapabilityName? = nil) {
        add(.added(name(of: middleware), perAttempt: TaskMiddleware(middleware)), before: position)
    }

    /// Adds an observer, which gets a report of each request once, when the request is over.
    ///
    /// - Parameter observer: called on an event loop; it must not block.
    public mutating func observe(_ observer: @escaping @Sendable (RequestReport) -> Void) {
        add(.added("observer", observer: ReportingObserver(report: observer)), before: nil)
    }

    /// Adds a route for GET.
    ///
    /// - Parameters:
    ///   - path: a template such as `/hello/{name}`; see `ServerRequestMetadata.parameter(_:)`.
    ///   - needsKey: whether callers must authenticate with a key, if the gateway has keys.
    ///   - handler: runs in a task on the loop of the request's connection, and must not block.
    public mutating func get(_ path: String, needsKey: Bool = true, _ handler: @escaping OperationHandler) {
        route(.get, path, needsKey: needsKey, handler)
    }

    /// Adds a route for POST, whose requests have JSON bodies of at most the configured size.
    public mutating func post(_ path: String, needsKey: Bool = true, _ handler: @escaping OperationHandler) {
        route(.post, path, needsKey: needsKey, handler)
    }

    private mutating func route(
        _ method: HTTPRequest.Method, _ path: String, needsKey: Bool, _ handler: @escaping OperationHandler
    ) {
        let operation = OperationDescription("\(method.rawValue) \(path)", method, path, needsKey ? .key : .none)
        routes.append(operation)
        add(
            .added(
                operation,
                handler: .task { request, body, metadata in
                    var (response, body) = try await handler(request.request, body, metadata)
                    // The server frames its messages.
                    response.headerFields.removeAll { HeadEncoder.isOfFraming($0.name) }
                    return ServerResponse(response, body)
                }), before: nil)
    }

    private mutating func add(_ capability: Capability, before position: CapabilityName?) {
        var capability = capability
        capability.before = position?.rawValue
        capabilities.append(capability)
        if let position, !CapabilityOrder.names.contains(position.rawValue) { missing.append(position) }
    }

    private func name(of middleware: Any) -> String { String(describing: type(of: middleware)) }

    /// - Throws: ``GatewayFailure`` if a position does not exist, a path is invalid, or two routes are the same.
    func check() throws {
        if let position = missing.first {
            let names = CapabilityOrder.names.joined(separator: ", ")
            throw GatewayFailure(
                description: "no capability '\(position.rawValue)' to stand before; there are: \(names)")
        }
        var taken = OperationTable.all
        for route in routes {
            guard let path = route.paths.first, path.hasPrefix("/") else {
                throw GatewayFailure(description: "the route '\(route.id)' has a path that does not begin with '/'")
            }
            guard path.split(separator: "/").allSatisfy(isSegment) else {
                throw GatewayFailure(description: "the route '\(route.id)' has a brace inside a segment: write /{name}")
            }
            let form = withoutNames(path)
            let isTaken = { (other: OperationDescription) in
                other.method == route.method && other.paths.contains { withoutNames($0) == form }
            }
            if let other = taken.first(where: isTaken) {
                throw GatewayFailure(description: "the route '\(route.id)' exists already: it is \(other.id)")
            }
            taken.append(route)
        }
    }

    /// Returns whether a segment of a template is literal text or a single parameter.
    private func isSegment(_ segment: Substring) -> Bool {
        let isParameter = segment.count > 2 && segment.hasPrefix("{") && segment.hasSuffix("}")
        return !(isParameter ? segment.dropFirst().dropLast() : segment).contains { $0 == "{" || $0 == "}" }
    }

    /// Returns the template with the same name for every parameter.
    private func withoutNames(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { $0.hasPrefix("{") ? "{}" : $0 }
            .joined(separator: "/")
    }
}

/// Name of a capability, as `headgate routes --chain` prints it.
public struct CapabilityName: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral: String) { rawValue = stringLiteral }

    public static let instructions: CapabilityName = "instructions"
    public static let limits: CapabilityName = "limits"
    public static let ledger: CapabilityName = "ledger"
    public static let tracing: CapabilityName = "tracing"
    public static let prices: CapabilityName = "prices"
    public static let cache: CapabilityName = "cache"
    public static let record: CapabilityName = "record"
}

extension ServerRequestMetadata {
    /// Returns the percent-decoded value of a parameter of the route's path; nil if the template has none of that name.
    public func parameter(_ name: String) -> String? {
        pathParameters[name].flatMap { PercentEncoding.decode($0) }
    }

    /// Name of the caller's key; nil for a caller without one.
    public var keyName: String? { record.key?.name }
}
