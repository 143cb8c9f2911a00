internal import HTTPTypes
internal import HeadgateHTTP

/// The heads of one operation's requests to one upstream: encoded once, unless fields of the client are forwarded or
/// the path names the model.
final class RequestHeads: Sendable {
    private let operation: RelayOperation
    private let upstream: Upstream
    private let whole: OutgoingHead
    private let stream: OutgoingHead

    private static let anthropicVersion: StaticString = "2023-06-01"

    init(of operation: RelayOperation, to upstream: Upstream) {
        self.operation = operation
        self.upstream = upstream
        whole = RequestHeads.make(operation, upstream, isStream: false, client: nil, model: "")
        stream = RequestHeads.make(operation, upstream, isStream: true, client: nil, model: "")
    }

    /// - Parameters:
    ///   - client: the fields of the client's request.
    ///   - model: the upstream's name for it, which Azure has in the path of its dated API.
    func head(isStream: Bool, client: HeadFields, model: String) -> OutgoingHead {
        if !upstream.hasDeployments, !hasOwnFields(client) { return isStream ? stream : whole }
        return RequestHeads.make(operation, upstream, isStream: isStream, client: client, model: model)
    }

    /// Whether any field of the client is forwarded.
    private func hasOwnFields(_ client: HeadFields) -> Bool {
        if case .anthropic = operation.dialect {
            let isUsual = client.withValue(named: .anthropicVersion) { version in
                version.elementsEqual(
                    UnsafeRawBufferPointer(
                        start: RequestHeads.anthropicVersion.utf8Start,
                        count: RequestHeads.anthropicVersion.utf8CodeUnitCount))
            }
            if isUsual == false || client.contains(.anthropicBeta) { return true }
        }
        return upstream.forwarding.applies(to: client)
    }

    /// - Parameter client: of these, the ones that the dialect needs and the configuration names are forwarded; nil for
    ///   none.
    private static func make(
        _ operation: RelayOperation, _ upstream: Upstream, isStream: Bool, client: HeadFields?, model: String
    ) -> OutgoingHead {
        var fields: HTTPFields = [
            .contentType: "application/json", .accept: accepted(operation, isStream: isStream),
            .acceptEncoding: "identity", .userAgent: "headgate",
        ]
        // Of a form, each request has its own.
        if operation.takesForm { fields[.contentType] = nil }
        if case .anthropic = operation.dialect {
            // The version that the client's library was written for, byte for byte.
            let version = client?.value(named: .anthropicVersion) ?? "\(anthropicVersion)"
            fields.append(HTTPField(name: .anthropicVersion, value: version))
            for field in client?.all(named: .anthropicBeta) ?? [] { fields.append(field) }
        }
        let path = upstream.path(operation.path, deployment: operation.isOfDeployment ? model : nil)
        return upstream.head(.post, path: path, fields: fields, client: client)
    }

    private static func accepted(_ operation: RelayOperation, isStream: Bool) -> String {
        switch operation.response {
        case .media, .anything: return "*/*"
        case .choices, .typed, .document: break
        }
        return isStream ? "text/event-stream" : "application/json"
    }
}
