internal import HTTPTypes
package import HeadgateHTTP
internal import HeadgateRelay

/// URL that alerts are posted to. Deliveries use connections of the loop that sends them.
package struct AlertHook: Sendable {
    private let transport: any RelayTransport
    private let baseURL: BaseURL
    private let head: OutgoingHead

    /// Maximum bytes of a response that are read.
    private static let longestAnswer = 64 << 10

    package init(at url: BaseURL, over transport: any RelayTransport) {
        self.transport = transport
        baseURL = url
        let fields: HTTPFields = [
            .contentType: "application/json", .accept: "*/*", .userAgent: "headgate/\(GatewayVersion.text)",
        ]
        head = OutgoingHead(
            HTTPRequest(
                method: .post, scheme: nil, authority: url.authority,
                path: url.pathPrefix.isEmpty ? "/" : url.pathPrefix, headerFields: fields))
    }

    /// Posts an alert.
    ///
    /// - Parameter completion: called once, possibly before this returns. Receives nil, or a failure as the predicate
    ///   of "the URL ...".
    /// - Returns: a handle that cancels the delivery.
    package func post(_ alert: Alert, completion: @escaping (String?) -> Void) -> (any Cancellable)? {
        let request = UpstreamRequest(head, body: alert.json, operationID: "postAlert")
        let call = PendingCall()
        call.wait {
            transport.send(request, to: baseURL) { result in
                call.stepEnded()
                switch result {
                case .failure(let error):
                    completion("failed: " + (error.detail.isEmpty ? "\(error.kind)" : "\(error.kind): \(error.detail)"))
                case .success(let response):
                    let status = response.head.response.status
                    let reason = status.kind == .successful ? nil : "answered with status \(status.code)"
                    call.wait {
                        (response.body ?? .bytes([])).collect(upTo: AlertHook.longestAnswer) { _ in
                            call.stepEnded()
                            completion(reason)
                        }
                    }
                }
            }
        }
        return call
    }
}
