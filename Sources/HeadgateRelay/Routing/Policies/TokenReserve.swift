internal import HeadgateDialects

/// Tokens that a request reserves before it is sent. Its actual use replaces them when it ends.
package struct TokenReserve: Sendable {
    package let input: Int
    package let output: Int
    /// Output to charge if neither a count nor content arrived, at most ``output``.
    package let assumedOutput: Int

    package static let none = TokenReserve(input: 0, output: 0)
    package static let oneOutput = TokenReserve(input: 0, output: 1)

    /// Output of a completion if the request states no limit and the model's maximum is not known.
    static let standardOutput = 4096
    /// Output of a response that is not text, such as an image.
    static let otherOutput = 512
    /// Input of a large request that contains images or files, which have far fewer tokens than bytes.
    private static let longestInput = 16_384

    package init(input: Int, output: Int, assumedOutput: Int = standardOutput) {
        self.input = input
        self.output = output
        self.assumedOutput = min(output, assumedOutput)
    }

    /// - Parameter most: the model's maximum for one completion; nil if it is not known.
    package init(_ envelope: RequestEnvelope, _ use: TokenUse, most: Int?) {
        switch use {
        case .none: self = .none
        case .prompt: self.init(input: TokenReserve.input(of: envelope), output: 0)
        case .all:
            let standard = envelope.shape.limitsText ? TokenReserve.standardOutput : TokenReserve.otherOutput
            let stated = envelope.output
            let answer = stated.tokens.map { min($0, most ?? $0) } ?? most ?? standard
            self.init(
                input: TokenReserve.input(of: envelope), output: TokenReserve.product(answer, stated.answers),
                assumedOutput: TokenReserve.product(standard, stated.answers))
        }
    }

    private static func product(_ tokens: Int, _ answers: Int) -> Int {
        let (product, overflows) = tokens.multipliedReportingOverflow(by: answers)
        return overflows ? TokenUsage.largestCount : min(product, TokenUsage.largestCount)
    }

    private static func input(of envelope: RequestEnvelope) -> Int {
        let size = max(1, envelope.size / 4)
        guard size > longestInput else { return size }
        if envelope.size <= LongDocument.threshold { return max(longestInput, UsageEstimate.prompt(envelope.bytes)) }
        // The body is too long to parse on an event loop.
        return mayHoldData(envelope.bytes) ? longestInput : min(size, TokenUsage.largestCount)
    }

    /// Returns whether a member or a URL suggests images, audio or files.
    private static func mayHoldData(_ document: [UInt8]) -> Bool {
        document.withUnsafeBytes { document in dataMarks.contains { $0.isFound(in: document) } }
    }

    private static let dataMarks = ["base64", "b64_json", #""data""#].map(ByteSearch.init)

    @inlinable package func count(_ measure: LimitMeasure) -> Int {
        switch measure {
        case .requests: 0
        case .tokens: input + output
        case .inputTokens: input
        case .outputTokens: output
        }
    }
}
