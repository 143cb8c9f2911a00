internal import HeadgateAPI
internal import HeadgateHTTP
internal import ServerSentEvents

extension HeadgateClientError {
    /// Returns the typed form of an error of a transport, a middleware or a decoder. Other errors are unchanged.
    static func translate(_ error: any Error) -> any Error {
        switch error {
        case let error as TransportError: translate(error)
        case let error as UnexpectedResponse: HeadgateClientError.unexpectedResponse(describe(error))
        case is HTTPSyntaxError: HeadgateClientError.unexpectedResponse("a body that is too large")
        case let error as DecodingError: HeadgateClientError.decoding(DecodingFailure(error))
        case let error as EncodingError: HeadgateClientError.invalidRequest(reason: describe(error))
        case let error as ServerSentEventError:
            HeadgateClientError.decoding(
                DecodingFailure(reason: "the stream exceeds a limit (\(error))"))
        default: error
        }
    }

    private static func translate(_ error: TransportError) -> any Error {
        switch error.kind {
        case .cancelled: CancellationError()
        case .connectTimeout, .responseTimeout, .silenceTimeout: HeadgateClientError.timedOut(error)
        default: HeadgateClientError.connectionFailed(error)
        }
    }

    private static func describe(_ error: EncodingError) -> String {
        guard case .invalidValue(_, let context) = error else { return "it is no JSON" }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        // The context's own description would quote the value.
        return "what stands at '\(path)' has no form in JSON"
    }

    private static func describe(_ error: UnexpectedResponse) -> String {
        switch error {
        case .status(let status, _): "status \(status)"
        case .body: "another kind of body than was asked for"
        case .contentType(let type, _): "the content type '\(type)'"
        case .missingBody: "no body"
        }
    }
}
