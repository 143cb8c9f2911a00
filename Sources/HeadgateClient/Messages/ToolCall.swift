/// A tool that the model wants called.
public struct ToolCall: Hashable, Sendable, Identifiable {
    /// Names this call in its result.
    public var id: String
    /// The tool.
    public var name: String
    /// JSON as the model wrote it: not checked, and of an interrupted answer cut.
    public var arguments: String

    /// A call with its arguments as JSON.
    public init(id: String, name: String, arguments: String) {
        self.id = id
        self.name = name
        self.arguments = arguments
    }
}

extension ToolCall: Codable {
    private struct Function: Codable {
        let name: String
        let arguments: String
    }

    /// Reads the wire's form.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        let function = try members.decode(Function.self, forKey: "function")
        id = try members.decodeIfPresent(String.self, forKey: "id") ?? ""
        name = function.name
        arguments = function.arguments
    }

    /// Writes the wire's form.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: MemberName.self)
        try members.encode(id, forKey: "id")
        try members.encode("function", forKey: "type")
        try members.encode(Function(name: name, arguments: arguments), forKey: "function")
    }
}
