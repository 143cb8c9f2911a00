internal import HTTPTypes
internal import HeadgateAPI
internal import HeadgateHTTP

/// Speech from texts, and texts from recordings.
public struct AudioOperations: Sendable {
    let api: any APIProtocol

    /// Returns the whole speech for a text.
    ///
    /// - Throws: ``HeadgateClientError``.
    public func speech(_ request: SpeechRequest) async throws -> Speech {
        let (response, body) = try await rawSpeech(api, request)
        do {
            return Speech(
                contentType: response.headerFields.first(.contentType) ?? "application/octet-stream",
                bytes: try await BodyReader.collect(body, upTo: responseLimit))
        } catch {
            throw HeadgateClientError.translate(error)
        }
    }

    /// Returns speech as it arrives. The request is sent with the first iteration.
    public func speechStream(_ request: SpeechRequest) -> SpeechStream {
        let api = api
        return SpeechStream { try await rawSpeech(api, request) }
    }

    /// Transcribes the speech in a recording.
    ///
    /// - Throws: ``HeadgateClientError``.
    public func transcribe(
        _ recording: UploadedFile, model: String, options: TranscriptionOptions = TranscriptionOptions()
    ) async throws -> Transcription {
        let form = try options.form(recording, model: model)
        let (body, boundary) = (form.whole, form.boundary)
        return try await AudioOperations.transcription {
            try await api.createTranscription(.init(body: .multipartForm(.bytes(body), boundary: boundary))).encoded()
        }
    }

    /// Translates the speech in a recording into English.
    ///
    /// - Throws: ``HeadgateClientError``.
    public func translate(
        _ recording: UploadedFile, model: String, options: TranscriptionOptions = TranscriptionOptions()
    ) async throws -> Transcription {
        let form = try options.form(recording, model: model)
        let (body, boundary) = (form.whole, form.boundary)
        return try await AudioOperations.transcription {
            try await api.createTranslation(.init(body: .multipartForm(.bytes(body), boundary: boundary))).encoded()
        }
    }

    /// Returns the transcription from a response of plain text or JSON.
    private static func transcription(_ call: () async throws -> RawResponse) async throws -> Transcription {
        let (response, body) = try await send(call)
        do {
            let bytes = try await BodyReader.collect(body, upTo: responseLimit)
            guard response.isJSON else { return Transcription(text: String(decoding: bytes, as: UTF8.self)) }
            if let error = JSONCoding.error(in: bytes) { throw HeadgateClientError.streamFailed(error) }
            return try JSONCoding.decode(from: bytes)
        } catch {
            throw HeadgateClientError.translate(error)
        }
    }
}

private func rawSpeech(_ api: any APIProtocol, _ request: SpeechRequest) async throws -> RawResponse {
    let body = HTTPBody.bytes(try JSONCoding.encode(request.members))
    return try await send { try await api.createSpeech(.init(body: .json(body))).encoded() }
}
