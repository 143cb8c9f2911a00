internal import HeadgateDialects

/// Tokens that a request may use, before it is sent: corrected once it is known.
struct TokenReserve: Sendable {
    let input: Int
    let output: Int
    /// Of ``output``: what an answer is taken to have had of which nothing has come, and which nobody has counted.
    let assumedOutput: Int

    static let none = TokenReserve(input: 0, output: 0)
    static let oneInput = TokenReserve(input: 1, output: 0)
    static let oneOutput = TokenReserve(input: 0, output: 1)

    /// Of an answer whose request states nothing, where its model's maximum is not known.
    static let standardOutput = 4096
    /// Of an answer that is no text, such as an image.
    static let otherOutput = 512
    /// Images and files are much larger than what they count for.
    private static let longestInput = 16_384

    init(input: Int, output: Int, assumedOutput: Int = standardOutput) {
        self.input = input
        self.output = output
        self.assumedOutput = min(output, assumedOutput)
    }

    /// - Parameter most: tokens of one answer of the model; nil where that is not known.
    init(_ envelope: RequestEnvelope, _ use: TokenUse, most: Int?) {
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
        if envelope.size <= LongDocument.octets { return max(longestInput, UsageEstimate.prompt(envelope.bytes)) }
        // It is not read on a loop.
        return mayHoldData(envelope.bytes) ? longestInput : min(size, TokenUsage.largestCount)
    }

    /// Whether there may be images, sounds or files in it: some member or URL says so.
    private static func mayHoldData(_ document: [UInt8]) -> Bool {
        document.withUnsafeBytes { document in dataMarks.contains { $0.isFound(in: document) } }
    }

    private static let dataMarks = ["base64", "b64_json", #""data""#].map(ByteSearch.init)

    func count(_ measure: LimitMeasure) -> Int {
        switch measure {
        case .requests: 0
        case .tokens: input + output
        case .inputTokens: input
        case .outputTokens: output
        }
    }
}
