extension TokenEstimate {
    /// Tokens that frame one message.
    private static let frame = 3
    /// Tokens of an image of typical size. Requests contain neither its size nor its division into tiles.
    private static let image = 1_000
    /// Bytes of base64 for one token of a document. A PDF page has about 50 KiB and 1,500 tokens.
    private static let documentOctets = 45

    /// Estimates the tokens of a request in Anthropic's format, including tools.
    ///
    /// - Parameter body: body for `/v1/messages` or `/v1/messages/count_tokens`.
    package static func ofMessages(_ body: [UInt8]) throws(TranslationError) -> Int {
        var losses = Losses(client: .messages)
        return tokens(of: try MessagesRequestReader.read(JSONObject.request(body), &losses))
    }

    /// Estimates the tokens of a request in the format of OpenAI's Responses, including tools.
    ///
    /// - Parameter body: body for `/v1/responses` or `/v1/responses/input_tokens`.
    package static func ofResponses(_ body: [UInt8]) throws(TranslationError) -> Int {
        var losses = Losses(client: .responses)
        return tokens(of: try ResponsesRequestReader.read(JSONObject.request(body), &losses))
    }

    private static func tokens(of request: ModelRequest) -> Int {
        var estimate = TokenEstimate()
        for message in request.messages {
            estimate.add(tokens: frame)
            for part in message.parts { estimate.add(part.content) }
        }
        for tool in request.tools { estimate.add(tool) }
        if case .schema(let schema, _, _, _)? = request.format { estimate.add(schema.text) }
        return estimate.tokens
    }

    private mutating func add(_ content: Content) {
        switch content {
        case .text(let text), .refusal(let text): add(text)
        case .image: add(tokens: TokenEstimate.image)
        case .document(.text(let text), _): add(text)
        case .document(.data(_, let base64), _): add(tokens: base64.utf8.count / TokenEstimate.documentOctets)
        case .document: add(tokens: TokenEstimate.image)
        case .reasoning(let reasoning): add(reasoning.text)
        case .toolCall(let call):
            add(tokens: TokenEstimate.frame)
            add(call.name)
            add(call.arguments)
        case .toolResult(let result):
            add(tokens: TokenEstimate.frame)
            for part in result.parts { add(part.content) }
        }
    }

    private mutating func add(_ tool: Tool) {
        add(tokens: TokenEstimate.frame)
        switch tool {
        case .function(let function):
            add(function.name)
            add(function.description ?? "")
            add(function.parameters?.text ?? "")
        case .custom(let name, let description, let format):
            add(name)
            add(description ?? "")
            add(format?.text ?? "")
        }
    }
}
