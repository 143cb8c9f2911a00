/// Description of a tool for the model.
public struct ToolDefinition: Hashable, Sendable {
    /// Letters, digits, `_` and `-`.
    public var name: String
    /// When to use it, for the model.
    public var description: String
    /// A JSON schema of the arguments.
    public var parameters: JSONValue

    /// Description of a tool for the model.
    public init(name: String, description: String, parameters: JSONValue) {
        self.name = name
        self.description = description
        self.parameters = parameters
    }
}

extension ToolDefinition: Encodable {
    /// Writes the wire's form.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: MemberName.self)
        try members.encode("function", forKey: "type")
        let function: JSONValue = [
            "name": .string(name), "description": .string(description), "parameters": parameters,
        ]
        try members.encode(function, forKey: "function")
    }
}
