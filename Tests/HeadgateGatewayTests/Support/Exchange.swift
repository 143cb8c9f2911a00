import HTTPTypes
import HeadgateHTTP

@testable import HeadgateGateway
@testable import HeadgateRelay

/// One request at one gate; status 200 if it is admitted.
struct Exchange {
    var status: Int?
    var error: GatewayError?
    var metadata: ServerRequestMetadata
    var response: HTTPResponse?

    init(
        _ gate: some ServerGate, _ method: HTTPRequest.Method = .get, authority: String? = "127.0.0.1:8686",
        fields: HTTPFields = [:], bodyLength: BodyLength = .fixed(0),
        local: (String, UInt16) = ("127.0.0.1", 8686)
    ) async {
        metadata = ServerRequestMetadata(
            connection: ConnectionEnds(localAddress: local.0, localPort: local.1, remoteAddress: "127.0.0.9"),
            bodyLength: bodyLength, context: RequestRecord(clock: { 0 }))
        let request = RequestHead(
            HTTPRequest(method: method, scheme: "http", authority: authority, path: "/", headerFields: fields))
        do {
            try gate.admit(request, metadata: metadata, operationID: "o")
            status = 200
        } catch {
            let failure = GatewayError(error)
            self.error = failure
            status = failure.status
        }
    }
}
