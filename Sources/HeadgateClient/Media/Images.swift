/// A request for images. The provider chooses the value of each nil property.
public struct ImageRequest: Hashable, Sendable {
    /// Public name of a model.
    public var model: String
    /// Description of the image.
    public var prompt: String
    /// Number of images.
    public var count: Int?
    /// Size, such as `1024x1024`.
    public var size: String?
    /// The provider's name of a quality, such as `high`.
    public var quality: String?
    /// `b64_json` or `url`, for models that support the choice.
    public var responseFormat: String?
    /// Further members of the request. They take precedence over the properties above.
    public var additional: [String: JSONValue]

    /// Creates a request for images.
    public init(
        model: String, prompt: String, count: Int? = nil, size: String? = nil, quality: String? = nil,
        responseFormat: String? = nil, additional: [String: JSONValue] = [:]
    ) {
        self.model = model
        self.prompt = prompt
        self.count = count
        self.size = size
        self.quality = quality
        self.responseFormat = responseFormat
        self.additional = additional
    }

    var members: [String: JSONValue] {
        var members: [String: JSONValue] = ["model": .string(model), "prompt": .string(prompt)]
        members["n"] = count.map(JSONValue.integer)
        members["size"] = size.map(JSONValue.string)
        members["quality"] = quality.map(JSONValue.string)
        members["response_format"] = responseFormat.map(JSONValue.string)
        return members.merging(additional) { _, mine in mine }
    }
}

/// Images that a model created.
public struct GeneratedImages: Hashable, Sendable, Decodable {
    /// An image.
    public struct Image: Hashable, Sendable, Decodable {
        /// Contents of the image file, if the server sends them.
        public var bytes: [UInt8]?
        /// URL of the image file, if the server sends one.
        public var url: String?
        /// The prompt as revised by the provider; nil if it reports none.
        public var revisedPrompt: String?

        /// Reads an image from the list.
        public init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: MemberName.self)
            url = try members.decodeIfPresent(String.self, forKey: "url")
            revisedPrompt = try members.decodeIfPresent(String.self, forKey: "revised_prompt")
            guard let text = try members.decodeIfPresent(String.self, forKey: "b64_json") else { return }
            guard let bytes = JSONCoding.decodeBase64(text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: "b64_json", in: members, debugDescription: "not base64")
            }
            self.bytes = bytes
        }
    }

    /// The images, in the server's order.
    public var images: [Image]
    /// Creation time in seconds since 1970.
    public var created: Int?
    /// Members without a property, such as `usage`.
    public var additional: [String: JSONValue]

    /// Reads a response.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        images = try members.decode([Image].self, forKey: "data")
        created = members.seconds(forKey: "created")
        additional = members.additional(besides: ["data", "created"])
    }
}
