#if canImport(FoundationModels) && (os(iOS) || os(macOS) || os(visionOS))
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif
    internal import FoundationModels
    internal import HeadgateClient

    /// A part of a transcript that cannot be sent to a gateway, such as an image.
    public struct UnsupportedTranscript: Error, CustomStringConvertible {
        /// A description of the part.
        public let part: String

        public var description: String { "A model of the gateway cannot be sent \(part) from a LanguageModelSession." }
    }

    @available(iOS 27, macOS 27, visionOS 27, *)
    extension LanguageModelExecutorGenerationRequest {
        /// Returns the request for the gateway.
        func chatRequest(for model: String) throws -> ChatRequest {
            var options = ChatOptions()
            options.temperature = generationOptions.temperature
            options.maximumResponseTokens = generationOptions.maximumResponseTokens
            if let schema {
                options.responseFormat = .jsonSchema(JSONSchema(name: "response", schema: try json(of: schema)))
            }
            let tools = try enabledToolDefinitions.map { tool in
                ToolDefinition(
                    name: tool.name, description: tool.description, parameters: try json(of: tool.parameters))
            }
            return ChatRequest(
                model: model, messages: try transcript.flatMap { try messages(of: $0) }, tools: tools,
                options: options)
        }

        private func json(of schema: GenerationSchema) throws -> JSONValue {
            try JSONDecoder().decode(JSONValue.self, from: try JSONEncoder().encode(schema))
        }

        /// Returns the messages of a transcript entry; none for entries that are not sent again, such as reasoning.
        private func messages(of entry: Transcript.Entry) throws -> [ChatMessage] {
            switch entry {
            case .instructions(let instructions): return [.system(try text(of: instructions.segments))]
            case .prompt(let prompt): return [.user(try text(of: prompt.segments))]
            case .response(let response): return [.assistant(try text(of: response.segments))]
            case .toolCalls(let calls):
                let all = calls.map {
                    ToolCall(id: $0.id, name: $0.toolName, arguments: $0.arguments.jsonString)
                }
                return [ChatMessage(role: .assistant, content: nil, toolCalls: all)]
            case .toolOutput(let output):
                let call = ToolCall(id: output.id, name: output.toolName, arguments: "")
                return [.toolResult(try text(of: output.segments), of: call)]
            default: return []
            }
        }

        private func text(of segments: [Transcript.Segment]) throws -> String {
            try segments.map { segment in
                switch segment {
                case .text(let text): return text.content
                case .structure(let structure): return structure.content.jsonString
                default: throw UnsupportedTranscript(part: "anything but text and structures")
                }
            }.joined(separator: "\n")
        }
    }
#endif
