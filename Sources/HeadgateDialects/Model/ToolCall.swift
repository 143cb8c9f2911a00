package struct ToolCall: Equatable, Sendable {
    /// Maximum number of calls in one conversation and in one response. Each call is compared with the others, and real
    /// conversations have far fewer.
    static let most = 4096

    package var id: String
    package var name: String
    /// The text that the model wrote. For a function it is a JSON object, unless it was cut or the model erred; for a
    /// custom tool it is any text.
    package var arguments: String
    package var isCustom: Bool
    /// Provider-specific members, which the provider requires back.
    package var members = JSONObject()

    package init(id: String, name: String, arguments: String, isCustom: Bool = false) {
        self.id = id
        self.name = name
        self.arguments = arguments
        self.isCustom = isCustom
    }
}

// Arguments in a history. A client sends back the model's text and cannot correct it, so a request is never rejected
// because of it.
extension ToolCall {
    /// Arguments of a call without any.
    static let noArguments = "{}"
    /// The member that holds arguments which are not a JSON object.
    static let raw = "_raw"

    /// Returns arguments that a client sent back as text.
    static func given(_ text: String) -> String { text.isBlank || text == "null" ? noArguments : text }

    /// The arguments as an object; nil if they are not a JSON object.
    var object: JSONObject? {
        arguments.isBlank ? JSONObject() : (try? JSONValue(Array(arguments.utf8)))?.object
    }

    /// Returns the arguments for an upstream that accepts only a JSON object. Other text becomes its member ``raw``, so
    /// that the model can still read it.
    func mended(_ losses: inout Losses) -> JSONObject {
        if let object { return object }
        losses.drop(.toolArguments)
        return [ToolCall.raw: .string(arguments)]
    }

    /// Returns the arguments as text, for an upstream that accepts any text or parses it.
    func text(_ target: TargetTraits, _ losses: inout Losses) -> String {
        if target.isOpenAIsOwn { return arguments.isEmpty ? ToolCall.noArguments : arguments }
        if arguments.isBlank { return ToolCall.noArguments }
        return object == nil ? JSONValue.object(mended(&losses)).text : arguments
    }
}
