internal import HeadgateDialects
internal import JSONBytes

/// How the response to one translated request is turned into one of the client's format.
final class ResponseTranslator: Sendable {
    let upstream: WireFormat
    let client: WireFormat
    let context: ResponseContext

    init(from upstream: WireFormat, to client: WireFormat, _ context: ResponseContext) {
        self.upstream = upstream
        self.client = client
        self.context = context
    }

    func translate(_ document: [UInt8]) throws(ResponseFault) -> [UInt8] {
        try ResponseTranslation.translate(document, from: upstream, to: client, context).bytes
    }

    func fault(_ fault: ResponseFault, in document: [UInt8], _ errors: UpstreamErrorReading) -> GatewayError {
        switch fault {
        case .error: document.withUnsafeBytes { reportedError(in: $0, errors) }
        case .unexpected:
            .upstream(
                502, "upstream_format",
                "The upstream '\(errors.upstream)' answered with something that is no response of \(upstream.title). Does it "
                    + "speak what 'speaks:' of its configuration says?",
                cause: .invalidJSON)
        case .oversize: .oversizeResponse
        }
    }

    /// The error in an event or a document that is one by its form.
    func reportedError(in document: UnsafeRawBufferPointer, _ errors: UpstreamErrorReading) -> GatewayError {
        let error = errors.readTyped(nestedResponse(in: document) ?? document) ?? errors.unexplained(200)
        return ErrorTranslation.adapted(error, to: client)
    }

    /// The `response` of an event of the Responses API, which holds the error.
    private func nestedResponse(in document: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard case .responses = upstream else { return nil }
        var cursor = JSONCursor(document)
        do throws(JSONError) {
            try cursor.beginObject()
            while let key = try cursor.nextKey() {
                let isResponse = cursor.equals(key, "response")
                let value = try cursor.skipValue()
                if isResponse { return cursor.bytes(in: value) }
            }
        } catch {
            return nil
        }
        return nil
    }
}
