/// Tools in a namespace, and their names in formats without namespaces.
///
/// A tool keeps its name if it is unique; otherwise the namespace is added.
struct ResponsesNamespaces {
    /// Name of a tool for the client.
    struct Name: Hashable {
        let name: String
        let namespace: String?
    }

    private var counts: [String: Int] = [:]
    private var qualified: [String: Name] = [:]

    /// - Parameter tools: Tools of the request.
    init(of tools: [JSONValue]) {
        for tool in tools {
            guard tool["type"] == "namespace" else {
                if let name = tool["name"]?.string { counts[name, default: 0] += 1 }
                continue
            }
            for inner in tool["tools"]?.array ?? [] {
                if let name = inner["name"]?.string { counts[name, default: 0] += 1 }
            }
        }
        for tool in tools where tool["type"] == "namespace" {
            guard let namespace = tool["name"]?.string else { continue }
            for inner in tool["tools"]?.array ?? [] {
                guard let name = inner["name"]?.string else { continue }
                qualified[flatName(of: name, in: namespace)] = Name(name: name, namespace: namespace)
            }
        }
    }

    func flatName(of name: String, in namespace: String?) -> String {
        guard let namespace, counts[name, default: 0] > 1 else { return name }
        return namespace.hasSuffix("__") ? namespace + name : "\(namespace)__\(name)"
    }

    /// Returns the client's name for a tool, by its flat name.
    func name(_ flatName: String) -> Name { qualified[flatName] ?? Name(name: flatName, namespace: nil) }
}
