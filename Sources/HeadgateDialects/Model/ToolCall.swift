package struct ToolCall: Equatable, Sendable {
    /// Maximum number in one conversation, and in one response. Each call is compared with the others, and real ones
    /// are far fewer.
    static let most = 4096

    package var id: String
    package var name: String
    /// The text that the model wrote: of a function a JSON object, unless it was cut or the model erred; of a custom
    /// tool any text.
    package var arguments: String
    package var isCustom: Bool
    /// Other members of the provider, which it requires back.
    package var members = JSONObject()

    package init(id: String, name: String, arguments: String, isCustom: Bool = false) {
        self.id = id
        self.name = name
        self.arguments = arguments
        self.isCustom = isCustom
    }
}

// Arguments in a history. A client gives back what the model wrote and cannot take it back: a request is never refused
// for their text.
extension ToolCall {
    /// The arguments of a call without any.
    static let noArguments = "{}"
    /// The member that holds arguments which are not a JSON object.
    static let raw = "_raw"

    /// Arguments as a client gave them back in a text.
    static func given(_ text: String) -> String { text.isBlank || text == "null" ? noArguments : text }

    /// Nil for arguments that are not a JSON object.
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

    /// The arguments as text, for an upstream that takes any text or parses it.
    func text(_ target: TargetTraits, _ losses: inout Losses) -> String {
        if target.isOpenAIsOwn { return arguments.isEmpty ? ToolCall.noArguments : arguments }
        if arguments.isBlank { return ToolCall.noArguments }
        return object == nil ? JSONValue.object(mended(&losses)).text : arguments
    }
}
