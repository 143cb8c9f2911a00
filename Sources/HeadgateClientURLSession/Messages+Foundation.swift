internal import Foundation
internal import HTTPTypes
internal import HeadgateClient
internal import HeadgateHTTP

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension URLRequest {
    /// Creates the request for a server.
    ///
    /// - Throws: ``HeadgateClientError/invalidURL(_:reason:)`` if URLSession cannot connect to the server.
    init(_ request: HTTPRequest, at server: BaseURL) throws {
        let scheme: String
        switch server.endpoint {
        case .tcp: scheme = "http"
        case .tls: scheme = "https"
        case .unix(let path):
            throw HeadgateClientError.invalidURL(path, reason: "URLSession does not speak over Unix sockets")
        }
        let text = "\(scheme)://\(server.authority)\(request.path ?? "/")"
        guard let url = URL(string: text) else {
            throw HeadgateClientError.invalidURL(text, reason: "Foundation does not read it as a URL")
        }
        self.init(url: url)
        httpMethod = request.method.rawValue
        for field in request.headerFields { addValue(field.value, forHTTPHeaderField: field.name.rawName) }
    }
}

extension HTTPResponse {
    init(_ response: HTTPURLResponse) {
        var fields = HTTPFields()
        for case (let name as String, let value as String) in response.allHeaderFields {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        self.init(status: Status(code: response.statusCode), headerFields: fields)
    }
}

extension TransportError {
    /// Converts an error of URLSession into a transport error.
    init(_ error: any Error, afterHead: Bool) {
        let code = (error as? URLError)?.code
        let kind: Kind =
            switch code {
            case .cancelled?: .cancelled
            case .timedOut?: afterHead ? .silenceTimeout : .responseTimeout
            case .cannotConnectToHost?: .connect
            case .cannotFindHost?, .dnsLookupFailed?, .notConnectedToInternet?: .unreachable
            case .secureConnectionFailed?, .serverCertificateUntrusted?, .serverCertificateHasBadDate?,
                .serverCertificateHasUnknownRoot?, .serverCertificateNotYetValid?, .clientCertificateRejected?,
                .clientCertificateRequired?:
                .tls
            case .cannotDecodeContentData?, .cannotDecodeRawData?: .encoding
            case .badServerResponse?, .cannotParseResponse?: .protocolViolation
            default: afterHead ? .truncatedBody : .closedBeforeResponse
            }
        self.init(kind, code.map { "URLError \($0.rawValue)" } ?? "\(type(of: error))")
    }
}
