internal import HeadgateConfiguration
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Path of a request, without the parts that belong to one upstream or to its owner.
enum RecordedRoute {
    /// Members of a query that are credentials, in lower case.
    private static let credentials: Set<String> = [
        "key", "api_key", "api-key", "apikey", "access_token", "token", "auth", "sig", "signature", "code", "password",
    ]

    /// - Parameter prefix: path of the upstream's base URL.
    static func route(of path: String, behind prefix: String) -> String {
        var rest = path.hasPrefix(prefix) ? path.dropFirst(prefix.count) : path[...]
        let deployments = "/deployments/"
        if rest.hasPrefix(deployments), let slash = rest.dropFirst(deployments.count).firstIndex(of: "/") {
            rest = rest[slash...]
        }
        return edited(rest) { name, item in name == "api-version" || credentials.contains(name) ? nil : item }
    }

    /// Returns the path with every credential in its query replaced.
    static func withoutCredentials(_ path: String) -> String {
        edited(path[...]) { name, item in
            credentials.contains(name) ? "\(item.prefix { $0 != "=" })=***" : item
        }
    }

    /// - Parameter edit: receives the name of each query member, in lower case, and the member; returns nil to remove
    ///   it.
    private static func edited(_ path: Substring, _ edit: (String, Substring) -> Substring?) -> String {
        guard let mark = path.firstIndex(of: "?") else { return String(path) }
        let items = path[path.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let kept = items.compactMap { item in edit(String(item.prefix { $0 != "=" }).lowercasedASCII, item) }
        return kept.isEmpty ? String(path[..<mark]) : "\(path[..<mark])?\(kept.joined(separator: "&"))"
    }
}
