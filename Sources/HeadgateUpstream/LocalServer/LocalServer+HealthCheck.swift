internal import HTTPTypes
internal import HeadgateEventLoop
package import HeadgateHTTP

extension LocalServer {
    /// Returns a check that passes if a `GET` of the path, on the host and port of the upstream, gets a 200 response.
    package static func healthCheck(
        path: String, baseURL: BaseURL, transport: any RelayTransport
    ) -> HealthCheck {
        let head = OutgoingHead(
            HTTPRequest(
                method: .get, scheme: nil, authority: baseURL.authority, path: path, headerFields: [.accept: "*/*"]))
        return { loop, completion in
            let told = LoopBound(completion, on: loop)
            let task = Task(executorPreference: loop) {
                var isHealthy = false
                let request = UpstreamRequest(head, body: nil, operationID: "localServerHealth")
                if let response = try? await transport.send(request, to: baseURL) {
                    isHealthy = response.head.status == 200
                    if case .stream(let source)? = response.body { source.discardRest() }
                }
                if !Task.isCancelled { told.value(isHealthy) }
            }
            return { task.cancel() }
        }
    }
}
