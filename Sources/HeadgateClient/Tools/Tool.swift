/// Something that a model may have the app do: look something up, compute, act.
///
/// ```swift
/// struct Weather: Tool {
///     struct Arguments: Decodable, Sendable { let city: String }
///     let name = "weather"
///     let description = "Tells the present weather of a city."
///     let parameters: JSONValue = [
///         "type": "object", "properties": ["city": ["type": "string"]], "required": ["city"],
///     ]
///     func call(arguments: Arguments) async throws -> String { "18 degrees, cloudy in \(arguments.city)" }
/// }
/// ```
public protocol Tool: Sendable {
    /// Arguments of the model. Those that cannot be decoded are sent back to the model, with the reason.
    associatedtype Arguments: Decodable & Sendable

    /// Letters, digits, `_` and `-`; one of its own in a session.
    var name: String { get }
    /// When to use it, for the model.
    var description: String { get }
    /// A JSON schema of the arguments.
    var parameters: JSONValue { get }

    /// Does it. Calls that the model asks for together run at the same time.
    ///
    /// - Returns: the result as a text for the model.
    /// - Throws: what ends the response; an obstacle that the model should know of is better returned.
    func call(arguments: Arguments) async throws -> String
}

/// ``Tool`` under a name of its own, for files that import FoundationModels too.
public typealias ChatTool = Tool

extension Tool {
    var definition: ToolDefinition {
        ToolDefinition(name: name, description: description, parameters: parameters)
    }

    /// The result of a call, or what is wrong with its arguments.
    ///
    /// - Throws: ``HeadgateClientError/toolFailed(name:_:)``, or `CancellationError`.
    func result(of call: ToolCall) async throws -> String {
        let arguments: Arguments
        do {
            let text = call.arguments.allSatisfy(\.isWhitespace) ? "{}" : call.arguments
            arguments = try JSONCoding.decode(from: Array(text.utf8))
        } catch HeadgateClientError.decoding(let failure) {
            let place = failure.path.isEmpty ? "" : " at \(failure.path)"
            return "The arguments cannot be used: \(failure.reason)\(place)."
        }
        do {
            return try await self.call(arguments: arguments)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw HeadgateClientError.toolFailed(name: name, error)
        }
    }
}
