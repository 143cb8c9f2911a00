/// The transcription of a recording.
public struct Transcription: Hashable, Sendable {
    /// The text, in the requested format if that is not JSON, such as subtitles.
    public var text: String
    /// Language of the recording; nil if the server does not report it.
    public var language: String?
    /// Length of the recording in seconds; nil if the server does not report it.
    public var duration: Double?
    /// Members without a property, such as `segments` and `words`.
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

/// Options of a transcription. The provider chooses the value of each nil property.
public struct TranscriptionOptions: Hashable, Sendable {
    /// Spoken language, such as `de`. Not used for translations.
    public var language: String?
    /// Words that are likely to occur, or the preceding text.
    public var prompt: String?
    /// `json`, `verbose_json`, or a text format: `text`, `srt`, `vtt`.
    public var format: String?
    /// Sampling temperature, from 0.
    public var temperature: Double?
    /// Further members of the request.
    public var additional: [String: JSONValue]

    /// Creates options, each of which can be omitted.
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
