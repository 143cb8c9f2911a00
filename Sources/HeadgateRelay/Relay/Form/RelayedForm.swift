package import HeadgateHTTP

/// Call for one form: it reads until the model is known, then runs the middleware chain of the operation.
///
/// Loop-confined.
package final class RelayedForm: PendingCall {
    private let request: RequestHead
    private let metadata: ServerRequestMetadata
    private let handler: RelayHandler
    private let upload: FormUpload
    private var completion: RequestHandler.Completion?

    /// Starts relaying a form.
    ///
    /// - Parameter completion: called once, possibly before this method returns.
    package static func start(
        _ request: RequestHead, _ body: HTTPBody?, _ metadata: ServerRequestMetadata, _ handler: RelayHandler,
        completion: @escaping RequestHandler.Completion
    ) {
        guard let boundary = FormBodyMiddleware.boundary(of: request) else {
            return completion(.failure(GatewayError.notAForm))
        }
        let upload = FormUpload(
            (body ?? .bytes([])).source, boundary: boundary, limit: handler.formKept,
            allowance: handler.bodies.allowance())
        let form = RelayedForm(request, metadata, handler, upload, completion: completion)
        metadata.work = form
        form.findModel()
    }

    private init(
        _ request: RequestHead, _ metadata: ServerRequestMetadata, _ handler: RelayHandler, _ upload: FormUpload,
        completion: @escaping RequestHandler.Completion
    ) {
        self.request = request
        self.metadata = metadata
        self.handler = handler
        self.upload = upload
        self.completion = completion
    }

    private func findModel() {
        wait {
            upload.findModel { [self] result in
                stepEnded()
                switch result {
                case .success(let model): relay(model.name)
                case .failure(let error): complete(.failure(error))
                }
            }
        }
    }

    private func relay(_ model: String) {
        guard !request.asksExplanation else { return complete(.failure(GatewayError.formNotExplained)) }
        let envelope = RequestEnvelope(formFor: model, shape: handler.operation.shape)
        let request = RelayRequest(
            head: request, metadata: metadata, envelope: envelope, allowance: nil,
            companion: RelayCompanion(upload: upload))
        wait {
            RelayNext(handler)(request) { [self] result in
                stepEnded()
                complete(result)
            }
        }
    }

    /// Completes the request once the client has sent its whole form, regardless of the result.
    private func complete(_ result: Result<ServerResponse, any Error>) {
        upload.discardRest { [self] in
            let waiting = completion
            completion = nil
            metadata.work = nil
            waiting?(result)
        }
    }
}
