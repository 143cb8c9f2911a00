internal import HTTPTypes
package import HeadgateConfiguration
package import HeadgateHTTP
internal import HeadgateRelay

/// Body of a request to a collector.
package struct SpanExport: Sendable {
    let bytes: [UInt8]
    let isCompressed: Bool

    package init(_ bytes: [UInt8], isCompressed: Bool) {
        self.bytes = bytes
        self.isCompressed = isCompressed
    }
}

/// A collector of spans. Like requests to upstreams, exports use connections of the loop that sends them.
package struct SpanCollector: Sendable, CustomStringConvertible {
    private let transport: any RelayTransport
    private let baseURL: BaseURL
    private let plain: OutgoingHead
    private let compressed: OutgoingHead
    private let realtime: @Sendable () -> Int64
    /// URL of the collector, without the headers.
    package let description: String

    /// Maximum bytes of a response that are read.
    private static let longestAnswer = 64 << 10

    /// - Parameters:
    ///   - url: endpoint of the configuration.
    ///   - realtime: returns nanoseconds since 1970.
    package init(
        _ configuration: TracingConfiguration, at url: BaseURL, over transport: any RelayTransport,
        realtime: @escaping @Sendable () -> Int64
    ) {
        self.transport = transport
        self.realtime = realtime
        description = configuration.endpoint.description
        baseURL = url
        var fields: HTTPFields = [
            .contentType: "application/json", .accept: "application/json",
            .userAgent: "headgate/\(GatewayVersion.text)",
        ]
        for header in configuration.headers {
            guard let name = HTTPField.Name(header.name) else { continue }
            fields[name] = header.value
        }
        let path = url.pathPrefix.isEmpty ? "/" : url.pathPrefix
        func head(_ fields: HTTPFields) -> OutgoingHead {
            OutgoingHead(
                HTTPRequest(method: .post, scheme: nil, authority: url.authority, path: path, headerFields: fields))
        }
        plain = head(fields)
        fields[.contentEncoding] = "gzip"
        compressed = head(fields)
    }

    /// Sends spans to the collector.
    ///
    /// - Parameter completion: called once, possibly before this returns.
    /// - Returns: a handle that cancels the export.
    package func send(
        _ export: SpanExport, completion: @escaping (SpanAnswer) -> Void
    ) -> (any Cancellable)? {
        let head = export.isCompressed ? compressed : plain
        let request = UpstreamRequest(head, body: export.bytes, operationID: "exportSpans")
        let call = PendingCall()
        call.wait {
            transport.send(request, to: baseURL) { result in
                call.stepEnded()
                switch result {
                case .failure(let error): completion(.failed(error.reason))
                case .success(let response): read(response, call, completion)
                }
            }
        }
        return call
    }

    private func read(
        _ response: UpstreamResponse, _ call: PendingCall, _ completion: @escaping (SpanAnswer) -> Void
    ) {
        let head = response.head
        call.wait {
            (response.body ?? .bytes([])).collect(upTo: SpanCollector.longestAnswer) { result in
                call.stepEnded()
                completion(SpanAnswer(head, (try? result.get()) ?? [], at: realtime()))
            }
        }
    }
}

extension TransportError {
    /// Reason for the log.
    fileprivate var reason: String { detail.isEmpty ? "\(kind)" : "\(kind): \(detail)" }
}
