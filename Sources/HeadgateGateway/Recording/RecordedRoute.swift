internal import HeadgateConfiguration
internal import HeadgatePrimitives

/// The path of a request, without what belongs to one upstream or to its owner.
enum RecordedRoute {
    /// Members of a query that are credentials, in lower case.
    private static let credentials: Set<String> = [
        "key", "api_key", "api-key", "apikey", "access_token", "token", "auth", "sig", "signature", "code", "password",
    ]

    /// - Parameter prefix: of the upstream's base URL.
    static func route(of path: String, behind prefix: String) -> String {
        var rest = path.hasPrefix(prefix) ? path.dropFirst(prefix.count) : path[...]
        let deployments = "/deployments/"
        if rest.hasPrefix(deployments), let slash = rest.dropFirst(deployments.count).firstIndex(of: "/") {
            rest = rest[slash...]
        }
        return edited(rest) { name, item in name == "api-version" || credentials.contains(name) ? nil : item }
    }

    /// The path with every credential in its query replaced.
    static func withoutCredentials(_ path: String) -> String {
        edited(path[...]) { name, item in
            credentials.contains(name) ? "\(item.prefix { $0 != "=" })=***" : item
        }
    }

    /// - Parameter edit: is given the name of each member of the query, in lower case, and the member.
    private static func edited(_ path: Substring, _ edit: (String, Substring) -> Substring?) -> String {
        guard let mark = path.firstIndex(of: "?") else { return String(path) }
        let items = path[path.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let kept = items.compactMap { item in edit(String(item.prefix { $0 != "=" }).lowercasedASCII, item) }
        return kept.isEmpty ? String(path[..<mark]) : "\(path[..<mark])?\(kept.joined(separator: "&"))"
    }
}
