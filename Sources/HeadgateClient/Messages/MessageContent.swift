/// Content of a message: a text, or parts that can be images.
public enum MessageContent: Hashable, Sendable {
    /// Text alone.
    case text(String)
    /// Text and images in their order.
    case parts([Part])

    /// A part of a message.
    public enum Part: Hashable, Sendable {
        /// A text.
        case text(String)
        /// An image by its URL, which can be a `data:` URL.
        case image(url: String)
        /// A part of another kind, as its JSON.
        case other(JSONValue)
    }

    /// All text of the content.
    public var text: String {
        switch self {
        case .text(let text): text
        case .parts(let parts):
            parts.map { part in if case .text(let text) = part { text } else { "" } }.joined()
        }
    }
}

extension MessageContent: ExpressibleByStringLiteral {
    /// Creates content from a text.
    public init(stringLiteral value: String) { self = .text(value) }
}

extension MessageContent: Codable {
    /// Reads a string or a list of parts.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = .parts(try container.decode([Part].self))
        }
    }

    /// Writes a string or a list of parts.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .parts(let parts): try container.encode(parts)
        }
    }
}

extension MessageContent.Part: Codable {
    /// Reads a part of any kind.
    public init(from decoder: any Decoder) throws {
        let value = try JSONValue(from: decoder)
        if case .object(let members) = value, members["type"] == "text", case .string(let text)? = members["text"] {
            self = .text(text)
        } else if case .object(let members) = value, members["type"] == "image_url",
            case .object(let image)? = members["image_url"], image.count == 1, case .string(let url)? = image["url"]
        {
            self = .image(url: url)
        } else {
            self = .other(value)
        }
    }

    /// Writes the part in the API's format.
    public func encode(to encoder: any Encoder) throws {
        let value: JSONValue =
            switch self {
            case .text(let text): ["type": "text", "text": .string(text)]
            case .image(let url): ["type": "image_url", "image_url": ["url": .string(url)]]
            case .other(let value): value
            }
        try value.encode(to: encoder)
    }
}

extension JSONValue {
    /// Name and `data:` URL of a `file` part of chat completions; nil for any other value.
    var fileOfChat: (name: String?, data: String)? {
        guard case .object(let part) = self, part["type"] == "file", case .object(let file)? = part["file"],
            case .string(let data)? = file["file_data"], data.hasPrefix("data:")
        else { return nil }
        guard case .string(let name)? = file["filename"] else { return (nil, data) }
        return (name, data)
    }
}
