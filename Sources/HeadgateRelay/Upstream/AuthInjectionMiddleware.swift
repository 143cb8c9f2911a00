internal import HTTPTypes
package import HeadgateConfiguration
package import HeadgateHTTP
internal import HeadgatePrimitives

/// Sets the upstream's key in the header that its kind expects. The client's key is never forwarded, because upstream
/// requests are built from scratch.
struct AuthInjectionMiddleware: ClientRequestEditor {
    private let field: HTTPField?

    init(kind: UpstreamKind, credential: Secret?) { field = credential.map { kind.field(of: $0) } }

    func edit(_ request: inout HTTPRequest) {
        if let field { request.headerFields.append(field) }
    }
}

/// Adds keys that change to requests whose heads were built without a key.
package struct KeyPlacement: Sendable {
    private let kind: UpstreamKind
    /// Whether the configured headers replace or remove the header of the key.
    private let isOverridden: Bool

    package init(_ configuration: UpstreamConfiguration) {
        kind = configuration.kind
        let name = kind.keyField.canonicalName
        isOverridden =
            configuration.headers.contains { $0.name.lowercasedASCII == name }
            || configuration.removedHeaders.contains(name)
    }

    package func add(_ key: Secret, to request: inout UpstreamRequest) {
        if !isOverridden { request.append(kind.field(of: key)) }
    }
}

extension UpstreamKind {
    /// Header of the upstream's key.
    fileprivate var keyField: HTTPField.Name {
        switch self {
        case .openai, .onDevice: .authorization
        case .anthropic: .xAPIKey
        case .azure: .azureAPIKey
        }
    }

    /// Complete header with the key.
    fileprivate func field(of key: Secret) -> HTTPField {
        HTTPField(name: keyField, value: keyField == .authorization ? "Bearer \(key.reveal())" : key.reveal())
    }
}
