internal import HTTPTypes
internal import HeadgateHTTP

extension RelayAttempt {
    /// Streams a form to the upstream, with the target's name for the model.
    ///
    /// - Parameter client: headers of the client's request.
    func send(_ upload: FormUpload, _ client: HeadFields) {
        guard !upload.hasBegun else { return fail(GatewayError.formWasSent) }
        guard !upstream.isOnDevice else { return fail(OnDeviceRules.unsupportedOperation) }
        upload.name(target.model)
        // Ending the attempt makes the transport cancel the form, which clears this callback.
        upload.broke = { [weak self] error in self?.cancel(because: error) }
        var request = UpstreamRequest(
            handler.head(for: self, of: client), streaming: StreamedBody(upload, length: upload.length),
            operationID: handler.operation.id)
        request.append(HTTPField(name: .contentType, value: upload.boundary.contentType))
        send(request)
    }
}
