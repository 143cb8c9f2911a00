import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateTesting

@testable import HeadgateGateway
@testable import HeadgateRelay

/// A transport with responses from the test. Confined to the test's thread.
final class ManualTransport: RelayTransport {
    final class Call: Cancellable {
        let request: UpstreamRequest
        let body = ManualBody()
        private(set) var isCancelled = false
        private var completion: UpstreamCompletion?

        fileprivate init(_ request: UpstreamRequest, _ completion: @escaping UpstreamCompletion) {
            self.request = request
            self.completion = completion
        }

        private func complete(_ result: Result<UpstreamResponse, TransportError>) {
            let waiting = completion
            completion = nil
            waiting?(result)
        }

        /// Responds with the head of an event stream, or of another type.
        func respond(_ status: Int = 200, type: String = "text/event-stream", fields: HTTPFields = [:]) {
            var fields = fields
            fields[.contentType] = type
            let head = ResponseHead(HTTPResponse(status: .init(code: status), headerFields: fields))
            complete(.success(UpstreamResponse(received: head, .stream(body))))
        }

        func fail(_ kind: TransportError.Kind) { complete(.failure(TransportError(kind))) }

        func cancel() {
            isCancelled = true
            complete(.failure(TransportError(.cancelled)))
        }
    }

    nonisolated(unsafe) private(set) var calls: [Call] = []

    func send(
        _ request: UpstreamRequest, to _: BaseURL, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        let call = Call(request, completion)
        calls.append(call)
        return call
    }
}
