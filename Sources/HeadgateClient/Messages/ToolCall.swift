/// A tool that the model wants called.
public struct ToolCall: Hashable, Sendable, Identifiable {
    /// Names this call in its result.
    public var id: String
    /// The tool.
    public var name: String
    /// JSON as the model wrote it: not checked, and of an interrupted response cut.
    public var arguments: String
    /// Members that have no property here. Sent back with the call: some models want theirs again, such as Gemini's
    /// `extra_content` with the signature of a thought.
    public var additional: [String: JSONValue]

    /// A call with its arguments as JSON.
    public init(id: String, name: String, arguments: String, additional: [String: JSONValue] = [:]) {
        self.id = id
        self.name = name
        self.arguments = arguments
        self.additional = additional
    }
}

extension ToolCall: Codable {
    // In a stream's last form some servers leave the index in.
    private static let known: Set<String> = ["id", "type", "function", "index"]

    /// Reads the wire format leniently: some servers send no ids, and some send the arguments as JSON instead of text.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        let function = try members.nestedContainer(keyedBy: MemberName.self, forKey: "function")
        id = try members.decodeIfPresent(String.self, forKey: "id") ?? ""
        name = try function.decode(String.self, forKey: "name")
        arguments = try function.arguments() ?? ""
        additional = members.additional(besides: Self.known)
    }

    /// Writes the wire's form.
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
    /// The arguments of a call, or a piece of them.
    func arguments() throws -> String? {
        if let text = try? decodeIfPresent(String.self, forKey: "arguments") { return text }
        guard let value = try decodeIfPresent(JSONValue.self, forKey: "arguments"), value != .null else { return nil }
        return String(decoding: try JSONCoding.encode(value), as: UTF8.self)
    }
}
