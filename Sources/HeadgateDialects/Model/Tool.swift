/// A tool that the model may call.
package enum Tool: Equatable, Sendable {
    case function(Function)
    /// Takes free text, of a form that a grammar may narrow.
    case custom(name: String, description: String?, format: JSONValue?)

    package struct Function: Equatable, Sendable {
        package var name: String
        package var description: String?
        /// A JSON Schema; nil for a function without parameters.
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
    /// One tool at least.
    case required
    case named(String)
    /// Only these tools, as if there were no others.
    case allowed([String], isRequired: Bool)
}
