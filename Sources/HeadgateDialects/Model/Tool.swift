/// A tool that the model may call.
package enum Tool: Equatable, Sendable {
    case function(Function)
    /// A tool with free-text input, whose form a grammar can restrict.
    case custom(name: String, description: String?, format: JSONValue?)

    package struct Function: Equatable, Sendable {
        package var name: String
        package var description: String?
        /// JSON Schema of the parameters; nil for a function without parameters.
        package var parameters: JSONValue?
        package var isStrict: Bool?
        package var cacheMarker: CacheMarker?

        package init(
            name: String, description: String? = nil, parameters: JSONValue? = nil, isStrict: Bool? = nil,
            cacheMarker: CacheMarker? = nil
        ) {
            self.name = name
            self.description = description
            self.parameters = parameters
            self.isStrict = isStrict
            self.cacheMarker = cacheMarker
        }
    }

    package var name: String {
        switch self {
        case .function(let function): function.name
        case .custom(let name, _, _): name
        }
    }
}

package enum ToolChoice: Equatable, Sendable {
    case auto
    case none
    /// At least one tool must be called.
    case required
    case named(String)
    /// Only these tools, as if there were no others.
    case allowed([String], isRequired: Bool)
}
