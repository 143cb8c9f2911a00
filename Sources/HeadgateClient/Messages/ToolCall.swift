/// A call of a tool by the model.
public struct ToolCall: Hashable, Sendable, Identifiable {
    /// Id of the call, which its result repeats.
    public var id: String
    /// Name of the tool.
    public var name: String
    /// JSON as the model wrote it. It is not validated, and can be cut in an interrupted response.
    public var arguments: String
    /// Members without a property. They are sent back with the call, because some models require them, such as Gemini's
    /// `extra_content` with a thought signature.
    public var additional: [String: JSONValue]

    /// Creates a call with its arguments as JSON.
    public init(id: String, name: String, arguments: String, additional: [String: JSONValue] = [:]) {
        self.id = id
        self.name = name
        self.arguments = arguments
        self.additional = additional
    }
}

extension ToolCall: Codable {
    // Some servers leave the index in a call that they have assembled from a stream.
    private static let known: Set<String> = ["id", "type", "function", "index"]

    /// Reads a call leniently: some servers send no ids, and some send the arguments as JSON instead of a string.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        let function = try members.nestedContainer(keyedBy: MemberName.self, forKey: "function")
        id = try members.decodeIfPresent(String.self, forKey: "id") ?? ""
        name = try function.decode(String.self, forKey: "name")
        arguments = try function.arguments() ?? ""
        additional = members.additional(besides: Self.known)
    }

    /// Writes the call in the API's format.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: MemberName.self)
        try members.encodeAdditional(additional)
        try members.encode(id, forKey: "id")
        try members.encode("function", forKey: "type")
        let function: JSONValue = ["name": .string(name), "arguments": .string(arguments)]
        try members.encode(function, forKey: "function")
    }
}

extension KeyedDecodingContainer<MemberName> {
    /// Returns the arguments of a call, or a piece of them.
    func arguments() throws -> String? {
        if let text = try? decodeIfPresent(String.self, forKey: "arguments") { return text }
        guard let value = try decodeIfPresent(JSONValue.self, forKey: "arguments"), value != .null else { return nil }
        return String(decoding: try JSONCoding.encode(value), as: UTF8.self)
    }
}
