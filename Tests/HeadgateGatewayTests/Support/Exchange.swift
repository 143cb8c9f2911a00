import HTTPTypes
import HeadgateHTTP

@testable import HeadgateGateway

/// One request through one middleware, in front of a handler that answers 200.
struct Exchange {
    var status: Int?
    var error: GatewayError?
    var metadata: ServerRequestMetadata
    var response: HTTPResponse?

    init(
        _ middleware: some ServerMiddleware, _ method: HTTPRequest.Method = .get, authority: String? = "127.0.0.1:8686",
        fields: HTTPFields = [:], bodyLength: BodyLength = .fixed(0),
        local: (String, UInt16) = ("127.0.0.1", 8686)
    ) async {
        metadata = ServerRequestMetadata(
            connection: ConnectionEnds(localAddress: local.0, localPort: local.1, remoteAddress: "127.0.0.9"),
            bodyLength: bodyLength, context: RequestRecord(clock: { 0 }))
        let request = RequestHead(
            HTTPRequest(method: method, scheme: "http", authority: authority, path: "/", headerFields: fields))
        do {
            let answer = try await middleware.intercept(
                request, body: nil, metadata: metadata, operationID: "o",
                next: { _, _, _ in ServerResponse(HTTPResponse(status: .ok), nil) })
            response = answer.head.response
            status = answer.head.status
        } catch {
            let failure = GatewayError(error)
            self.error = failure
            status = failure.status
        }
    }
}
