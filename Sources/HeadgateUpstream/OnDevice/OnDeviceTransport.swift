package import HeadgateHTTP

/// The way to the on-device model: says what it is waiting for while the model cannot answer yet.
package struct OnDeviceTransport: RelayTransport {
    private let model: OnDeviceModel
    private let transport: any RelayTransport

    package init(model: OnDeviceModel, transport: any RelayTransport) {
        self.model = model
        self.transport = transport
    }

    package func send(
        _ head: OutgoingHead, body: [UInt8]?, baseURL: BaseURL, operationID: String
    ) async throws -> (ResponseHead, HTTPBody?) {
        switch model.state {
        case .ready: return try await transport.send(head, body: body, baseURL: baseURL, operationID: operationID)
        case .starting(let what): throw TransportError(.notReady, "the on-device model is starting: \(what)")
        case .restarting: throw TransportError(.notReady, "the on-device model is starting again")
        case .failed(let why): throw TransportError(.unavailable, why)
        }
    }
}
