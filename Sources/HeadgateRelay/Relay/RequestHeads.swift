internal import HTTPTypes
internal import HeadgateHTTP

/// Heads of one operation's requests to one upstream: encoded once, unless header fields of the client are forwarded or
/// the path names the model.
final class RequestHeads: Sendable {
    private let operation: RelayOperation
    private let upstream: Upstream
    private let whole: OutgoingHead
    private let stream: OutgoingHead

    static let anthropicVersion: StaticString = "2023-06-01"

    init(of operation: RelayOperation, to upstream: Upstream) {
        self.operation = operation
        self.upstream = upstream
        whole = RequestHeads.make(operation, upstream, isStream: false, client: nil, caller: "", model: "")
        stream = RequestHeads.make(operation, upstream, isStream: true, client: nil, caller: "", model: "")
    }

    /// Returns the head of one request.
    ///
    /// - Parameters:
    ///   - client: the header fields of the client's request.
    ///   - caller: the name of the client's key.
    ///   - model: the upstream's name for the model, which the path of Azure's dated API contains.
    func head(
        isStream: Bool, client: HeadFields, caller: @autoclosure () -> String, model: String
    ) -> OutgoingHead {
        if !upstream.hasDeployments, !hasOwnFields(client) { return isStream ? stream : whole }
        return RequestHeads.make(
            operation, upstream, isStream: isStream, client: client, caller: caller(), model: model)
    }

    /// Returns whether any header field of the client is forwarded.
    private func hasOwnFields(_ client: HeadFields) -> Bool {
        if case .anthropic = operation.dialect {
            let isUsual = client.withValue(named: .anthropicVersion) { version in
                version.elementsEqual(
                    UnsafeRawBufferPointer(
                        start: RequestHeads.anthropicVersion.utf8Start,
                        count: RequestHeads.anthropicVersion.utf8CodeUnitCount))
            }
            if isUsual == false { return true }
        }
        return upstream.forwarding.applies(to: client)
    }

    /// - Parameter client: the header fields of the client's request; nil to forward none. Fields that the dialect
    ///   needs or the configuration names are forwarded.
    private static func make(
        _ operation: RelayOperation, _ upstream: Upstream, isStream: Bool, client: HeadFields?, caller: String,
        model: String
    ) -> OutgoingHead {
        var fields: HTTPFields = [
            .contentType: "application/json", .accept: accepted(operation, isStream: isStream),
            .acceptEncoding: "identity", .userAgent: "headgate",
        ]
        // Each form has its own content type, which names its boundary.
        if operation.takesForm { fields[.contentType] = nil }
        if case .anthropic = operation.dialect {
            // The version that the client's library was written for is forwarded unchanged.
            let version = client?.value(named: .anthropicVersion) ?? "\(anthropicVersion)"
            fields.append(HTTPField(name: .anthropicVersion, value: version))
        }
        if let client, !upstream.isOnDevice {
            upstream.forwarding.addFeatures(
                of: client, in: operation.dialect, caller: caller, model: model, to: &fields)
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
