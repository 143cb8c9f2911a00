internal import HTTPTypes
package import HeadgateHTTP

extension RelayAttempt {
    /// Sends a form as it comes, with the target's name for the model.
    ///
    /// - Parameter client: the fields of the client's request.
    package func send(_ upload: FormUpload, _ client: HeadFields) {
        guard !upload.hasBegun else { return fail(GatewayError.formWasSent) }
        guard !upstream.isOnDevice else { return fail(OnDeviceRules.unsupportedOperation) }
        upload.name(target.model)
        // The transport cancels the form, which then is not told.
        upload.broke = { [weak self] error in self?.breakOff(error) }
        var request = UpstreamRequest(
            handler.head(for: self, of: client), streaming: StreamedBody(upload, length: upload.length),
            operationID: handler.operation.id)
        request.append(HTTPField(name: .contentType, value: upload.boundary.contentType))
        send(request)
    }
}
