internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateContract
internal import HeadgateDialects
package import HeadgateHTTP
internal import HeadgatePrimitives

/// Handler for stored responses by id: `GET` and `DELETE /v1/responses/{id}`, cancellation and input items.
///
/// For responses that upstreams store, the gateway only remembers who created which at which upstream
/// (``StoredResponseAccess``). It queries that upstream first if it is known, then the others in the order of the
/// configuration (``StoredResponseLookup``).
package struct StoredResponseHandler: Sendable {
    let upstreams: [Upstream]
    let models: ModelTable
    let access: StoredResponseAccess
    let eventLimit: Int
    /// Storage of responses by the gateway itself; nil if it stores none.
    let kept: LocalResponses?
    /// Current time in nanoseconds since 1970.
    let realtime: @Sendable () -> Int64

    package init(
        upstreams: [Upstream], models: ModelTable, access: StoredResponseAccess, eventLimit: Int, kept: LocalResponses?,
        realtime: @escaping @Sendable () -> Int64
    ) {
        self.upstreams = upstreams
        self.models = models
        self.access = access
        self.eventLimit = eventLimit
        self.kept = kept
        self.realtime = realtime
    }

    /// Suffixes of the path after the id of the response, by operation id.
    package static let operations = [
        (OperationTable.retrieveResponse.id, ""), (OperationTable.deleteResponse.id, ""),
        (OperationTable.cancelResponse.id, "/cancel"), (OperationTable.listResponseInputItems.id, "/input_items"),
    ]

    /// Responds to a request about a stored response.
    ///
    /// - Parameter suffix: part of the path after the id, such as `/cancel`.
    package func handle(
        _ operationID: String, _ request: RequestHead, _ metadata: ServerRequestMetadata, suffix: String,
        completion: @escaping RequestHandler.Completion
    ) {
        do throws(GatewayError) {
            if let kept, let id = metadata.pathParameters["response_id"], LocalResponses.isID(id) {
                let query = try Query(request.path, hasStreams: operationID == OperationTable.retrieveResponse.id)
                let question = try LocalResponseLookup.Question(operationID, query, id: id)
                let lookup = LocalResponseLookup(question, metadata, completion: completion)
                return lookup.start(kept, owner: access.owner(metadata), at: realtime() / 1_000_000_000)
            }
            let question = try question(operationID, request, metadata, suffix: suffix)
            StoredResponseLookup(
                question, of: upstreams(for: metadata.caller, having: question.id), metadata, completion: completion
            )
            .start()
        } catch {
            completion(.failure(error))
        }
    }

    private func question(
        _ operationID: String, _ request: RequestHead, _ metadata: ServerRequestMetadata, suffix: String
    ) throws(GatewayError) -> StoredResponseLookup.Question {
        let id = metadata.pathParameters["response_id"] ?? ""
        guard StoredResponseHandler.isID(id) else { throw StoredResponseHandler.unknown }
        let query = try Query(request.path, hasStreams: operationID == OperationTable.retrieveResponse.id)
        guard access.allows(id, metadata) else { throw StoredResponseAccess.unknown }
        return StoredResponseLookup.Question(
            operationID: operationID, method: request.method == .head ? .get : request.method, id: id,
            path: "/responses/\(id)\(suffix)\(query.text)", isStream: query.isStream, client: request.fields,
            eventLimit: eventLimit)
    }

    /// Returns the upstreams that can store responses and that the caller may use, first the one known to store this
    /// response.
    private func upstreams(for caller: ClientKey, having id: String) -> [Upstream] {
        let possible = upstreams.filter { upstream in
            if case .anthropic = upstream.kind { return false }
            return models.serves(upstream.name, caller)
        }
        guard let home = access.upstream(of: id) else { return possible }
        return possible.filter { $0.mark == home } + possible.filter { $0.mark != home }
    }

    static let unknown = GatewayError.invalidRequest(
        404, "No upstream knows a response with that id.", code: "response_not_found", parameter: "response_id",
        cause: .unknownResponse)

    /// Returns whether an id is safe in a path.
    private static func isID(_ text: String) -> Bool {
        (1...256).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x2D || $0 == 0x5F
            }
    }

    /// Query parameters that this route knows, as they were sent.
    package struct Query {
        /// Query with its question mark; empty if it has no known parameters.
        private(set) var text = ""
        private(set) var values: [String: String] = [:]
        private(set) var isStream = false

        private static let names: Set<String> = [
            "after", "before", "include", "include[]", "include_obfuscation", "limit", "order", "starting_after",
            "stream",
        ]

        /// - Parameter hasStreams: whether the route knows `stream`.
        package init(_ path: String, hasStreams: Bool) throws(GatewayError) {
            guard let question = path.firstIndex(of: "?") else { return }
            for parameter in path[path.index(after: question)...].split(separator: "&") {
                let written = parameter.prefix { $0 != "=" }
                // SDKs escape brackets.
                guard let name = PercentEncoding.decode(String(written)), Query.names.contains(name),
                    name != "stream" || hasStreams
                else { continue }
                let value = parameter.dropFirst(written.count + 1)
                try Query.check(value, of: name)
                if name == "stream" {
                    guard values[name] == nil else { throw Query.invalid(name, "stands twice") }
                    isStream = value == "true"
                }
                values[name] = String(value)
                text += (text.isEmpty ? "?" : "&") + parameter
            }
        }

        /// Returns the requested page of a list.
        func page() throws(GatewayError) -> ResponsesInputItems.Page {
            var page = ResponsesInputItems.Page()
            if let limit = values["limit"] {
                guard let limit = Int(limit), (1...100).contains(limit) else {
                    throw Query.invalid("limit", "must be from 1 to 100")
                }
                page.limit = limit
            }
            switch values["order"] {
            case nil, "desc": break
            case "asc": page.isAscending = true
            default: throw Query.invalid("order", "must be asc or desc")
            }
            page.after = values["after"]
            return page
        }

        private static func check(_ value: Substring, of name: String) throws(GatewayError) {
            switch name {
            case "stream", "include_obfuscation":
                guard value == "true" || value == "false" else { throw invalid(name, "must be true or false") }
            case "starting_after", "limit":
                guard !value.isEmpty, value.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else {
                    throw invalid(name, "must be a whole number")
                }
            default:
                guard value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x23 }) else {
                    throw invalid(name, "holds a character that must be escaped")
                }
            }
        }

        static func invalid(_ name: String, _ problem: String) -> GatewayError {
            .invalidRequest(400, "The query parameter '\(name)' \(problem).", code: "invalid_value", parameter: name)
        }
    }
}
