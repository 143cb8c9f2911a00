/// Transcribes the speech in a recording.
public struct Transcription: Hashable, Sendable {
    /// The text, in the requested format if that is not JSON, such as subtitles.
    public var text: String
    /// The language that was heard, where the server says so.
    public var language: String?
    /// Seconds of the recording, where the server says so.
    public var duration: Double?
    /// Members that have no property here, such as `segments` and `words`.
    public var additional: [String: JSONValue]

    init(text: String) {
        self.text = text
        additional = [:]
    }
}

extension Transcription: Decodable {
    /// Reads a response.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        text = try members.decode(String.self, forKey: "text")
        language = try? members.decodeIfPresent(String.self, forKey: "language")
        duration = try? members.decodeIfPresent(Double.self, forKey: "duration")
        additional = members.additional(besides: ["text", "language", "duration"])
    }
}

/// Options of a transcription. Properties that are nil are left to the provider.
public struct TranscriptionOptions: Hashable, Sendable {
    /// The language that is spoken, such as `de`. Not for translations.
    public var language: String?
    /// Words that are likely to be heard, or the text before.
    public var prompt: String?
    /// `json`, `verbose_json`, or another form of the text: `text`, `srt`, `vtt`.
    public var format: String?
    /// Sampling temperature, from 0.
    public var temperature: Double?
    /// Further members of the request.
    public var additional: [String: JSONValue]

    /// Options of which each may be left out.
    public init(
        language: String? = nil, prompt: String? = nil, format: String? = nil, temperature: Double? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.language = language
        self.prompt = prompt
        self.format = format
        self.temperature = temperature
        self.additional = additional
    }

    func form(_ recording: UploadedFile, model: String) throws -> MultipartForm {
        var form = MultipartForm()
        form.add("model", model)
        form.add("language", language)
        form.add("prompt", prompt)
        form.add("response_format", format)
        form.add("temperature", temperature.map { "\($0)" })
        try form.add(additional)
        form.add("file", recording)
        return form
    }
}
