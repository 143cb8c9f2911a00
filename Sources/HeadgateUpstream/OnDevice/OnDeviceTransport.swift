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
        _ head: OutgoingHead, body: [UInt8]?, baseURL: BaseURL, operationID: String,
        completion: @escaping (Result<UpstreamAnswer, TransportError>) -> Void
    ) -> (any Cancellable)? {
        let failure: TransportError
        switch model.state {
        case .ready:
            return transport.send(
                head, body: body, baseURL: baseURL, operationID: operationID, completion: completion)
        case .starting(let what): failure = TransportError(.notReady, "the on-device model is starting: \(what)")
        case .restarting: failure = TransportError(.notReady, "the on-device model is starting again")
        case .failed(let why): failure = TransportError(.unavailable, why)
        }
        completion(.failure(failure))
        return nil
    }
}
