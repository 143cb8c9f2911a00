#if canImport(FoundationModels) && (os(iOS) || os(macOS) || os(visionOS))
    public import FoundationModels
    public import HeadgateClient

    /// A model of a gateway for Apple's `LanguageModelSession`.
    ///
    /// ```swift
    /// let client = try HeadgateClient(baseURL: "https://gateway.example/v1", apiKey: { try keychain.gatewayKey() })
    /// let session = LanguageModelSession(model: HeadgateLanguageModel("smart", client: client))
    /// ```
    ///
    /// Untested: the tests of this project run on Linux, where this code is type-checked against stubs of the
    /// framework.
    @available(iOS 27, macOS 27, visionOS 27, *)
    public struct HeadgateLanguageModel: LanguageModel {
        /// The public name of the model.
        public let name: String
        let client: HeadgateClient

        /// Creates a model.
        ///
        /// - Parameter client: A client, which has at most a key of the gateway. The providers' keys stay on the
        ///   gateway.
        public init(_ name: String, client: HeadgateClient) {
            self.name = name
            self.client = client
        }

        public var capabilities: LanguageModelCapabilities {
            LanguageModelCapabilities([.guidedGeneration, .reasoning, .toolCalling])
        }

        public var executorConfiguration: Executor.Configuration { Executor.Configuration(model: name) }

        /// Sends a session's requests to the gateway.
        public struct Executor: LanguageModelExecutor {
            public typealias Model = HeadgateLanguageModel

            public struct Configuration: Hashable, Sendable {
                let model: String
            }

            public init(configuration _: Configuration) throws {}

            /// Does nothing, because the gateway keeps its models ready.
            public func prewarm(model _: Model, transcript _: Transcript) {}

            /// Sends a request, and passes the response on to the channel.
            ///
            /// - Throws: ``HeadgateClientError``; ``UnsupportedTranscript`` for parts that cannot be sent.
            public func respond(
                to request: LanguageModelExecutorGenerationRequest, model: Model,
                streamingInto channel: LanguageModelExecutorGenerationChannel
            ) async throws {
                var calls = ToolCallPieces()
                for try await chunk in model.client.chat.stream(try request.chatRequest(for: model.name)) {
                    // The request asks for one choice.
                    for choice in chunk.choices where choice.index == 0 {
                        try await send(choice.delta, &calls, into: channel)
                    }
                    guard let usage = chunk.usage else { continue }
                    await channel.send(
                        .response(
                            action: .updateUsage(
                                input: .init(
                                    totalTokenCount: usage.promptTokens, cachedTokenCount: usage.cachedTokens ?? 0),
                                output: .init(
                                    totalTokenCount: usage.completionTokens,
                                    reasoningTokenCount: usage.reasoningTokens ?? 0))))
                }
            }

            /// Sends one piece of a response to the channel.
            ///
            /// The number of tokens in the piece is unknown, but at least one. The total arrives at the end.
            private func send(
                _ delta: ChatCompletionChunk.Delta, _ calls: inout ToolCallPieces,
                into channel: LanguageModelExecutorGenerationChannel
            ) async throws {
                if let refusal = delta.refusal, !refusal.isEmpty { throw HeadgateClientError.refused(refusal) }
                if let text = delta.reasoning, !text.isEmpty {
                    await channel.send(.reasoning(action: .appendText(text, tokenCount: 1)))
                }
                if let text = delta.content, !text.isEmpty {
                    await channel.send(.response(action: .appendText(text, tokenCount: 1)))
                }
                for piece in calls.add(delta.toolCalls) {
                    await channel.send(
                        .toolCalls(
                            action: .toolCall(
                                id: piece.id, name: piece.name,
                                action: .appendArguments(piece.arguments, tokenCount: 1))))
                }
            }
        }
    }
#endif
