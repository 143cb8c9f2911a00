internal import HTTPTypes
internal import HeadgateAPI
internal import HeadgateHTTP

/// Legacy completions: text that continues a prompt.
public struct CompletionOperations: Sendable {
    let api: any APIProtocol

    /// Returns a streamed completion. The request is sent with the first iteration.
    public func stream(_ request: CompletionRequest) -> CompletionStream<TextCompletion> {
        let api = api
        return CompletionStream(choices: request.options.expectedChoices) {
            try await rawResponse(api, request, isStream: true)
        }
    }

    /// Returns the whole text. A stream is requested only with `onPiece`.
    ///
    /// - Parameter onPiece: called with each piece as it arrives, in the caller's isolation.
    /// - Throws: ``HeadgateClientError``, after the pieces that arrived before it.
    public func complete(_ request: CompletionRequest, onPiece: ((String) -> Void)? = nil) async throws -> String {
        guard let onPiece else {
            let completion: TextCompletion = try await sendForValue {
                try await rawResponse(api, request, isStream: false)
            }
            return completion.text
        }
        var text = ""
        for try await piece in stream(request).text {
            text += piece
            onPiece(piece)
        }
        return text
    }
}

private func rawResponse(_ api: any APIProtocol, _ request: CompletionRequest, isStream: Bool) async throws
    -> RawResponse
{
    let body = HTTPBody.bytes(try request.body(isStream: isStream))
    return try await send { try await api.createCompletion(.init(body: .json(body))).encoded() }
}
