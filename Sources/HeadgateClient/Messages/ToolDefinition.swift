/// Description of a tool for the model.
public struct ToolDefinition: Hashable, Sendable {
    /// Name of the tool: letters, digits, `_` and `-`.
    public var name: String
    /// Description for the model of when to use the tool.
    public var description: String
    /// JSON Schema of the arguments.
    public var parameters: JSONValue

    /// Creates a definition.
    public init(name: String, description: String, parameters: JSONValue) {
        self.name = name
        self.description = description
        self.parameters = parameters
    }
}

extension ToolDefinition: Encodable {
    /// Writes the definition in the API's format.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: MemberName.self)
        try members.encode("function", forKey: "type")
        let function: JSONValue = [
            "name": .string(name), "description": .string(description), "parameters": parameters,
        ]
        try members.encode(function, forKey: "function")
    }
}
