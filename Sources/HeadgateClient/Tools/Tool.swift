/// A function of the app that a model can call, to look something up, to compute, or to act.
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
    /// Arguments from the model. If they cannot be decoded, the model receives the reason.
    associatedtype Arguments: Decodable & Sendable

    /// Name, unique in a session: letters, digits, `_` and `-`.
    var name: String { get }
    /// Description for the model of when to use the tool.
    var description: String { get }
    /// JSON Schema of the arguments.
    var parameters: JSONValue { get }

    /// Runs the tool. Calls that the model requests together run concurrently.
    ///
    /// - Returns: The result as text for the model.
    /// - Throws: An error that ends the response. Return an obstacle that the model should know about instead.
    func call(arguments: Arguments) async throws -> String
}

/// Alternative name of ``Tool``, for files that also import FoundationModels.
public typealias ChatTool = Tool

extension Tool {
    var definition: ToolDefinition {
        ToolDefinition(name: name, description: description, parameters: parameters)
    }

    /// Returns the result of a call, or a message about invalid arguments.
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
