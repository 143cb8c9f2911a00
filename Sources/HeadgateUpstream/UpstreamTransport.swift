package import HTTPTypes
package import HeadgateEventLoop
package import HeadgateHTTP

/// The transport to one upstream: HTTP/1.1 on the loop of the caller, with a pool of connections per loop.
///
/// Connections are never shared across upstreams, and so never across credentials.
package final class UpstreamTransport: ClientTransport {
    private let pools: [LoopBound<UpstreamPool>]

    package init(group: EventLoopGroup, timeouts: TransferTimeouts) {
        pools = group.loops.map { LoopBound(UpstreamPool(loop: $0, timeouts: timeouts), on: $0) }
    }

    package func send(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let loop = EventLoop.current
        let content = try await body?.collect(upTo: .max)
        var bytes = loop.borrowBuffer()
        HeadEncoder.append(request, framing: content.map { .fixed($0.count) } ?? .none, to: &bytes)
        if let content { bytes.append(contentsOf: content) }
        let transfer = UpstreamTransfer(
            request: bytes, method: request.method, target: baseURL.endpoint, pool: pools[loop.index].value)
        let bound = LoopBound(transfer, on: loop)
        let response = try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { transfer.start($0) }
        } onCancel: {
            // A client that leaves cancels on the loop itself, and is served at once.
            if loop.isCurrent { bound.value.cancel() } else { loop.execute { bound.value.cancel() } }
        }
        return (response, .stream(transfer))
    }
}
