package import HTTPTypes
package import HeadgateHTTP

/// The way to the on-device model: says what it is waiting for while the model cannot answer yet.
package struct OnDeviceTransport: ClientTransport {
    private let model: OnDeviceModel
    private let transport: any ClientTransport

    package init(model: OnDeviceModel, transport: any ClientTransport) {
        self.model = model
        self.transport = transport
    }

    package func send(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?) {
        switch model.state {
        case .ready: return try await transport.send(request, body: body, baseURL: baseURL, operationID: operationID)
        case .starting(let what): throw TransportError(.notReady, "the on-device model is starting: \(what)")
        case .restarting: throw TransportError(.notReady, "the on-device model is starting again")
        case .failed(let why): throw TransportError(.unavailable, why)
        }
    }
}
