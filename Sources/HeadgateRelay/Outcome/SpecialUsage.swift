internal import HeadgateDialects
internal import HeadgatePrices
internal import JSONBytes

/// Parts of a usage that few responses have. An immutable class, so that all other usages hold one word for them.
package final class SpecialUsage: Sendable, Equatable {
    /// One model call of several that the upstream bills for a response.
    package struct Iteration: Sendable, Equatable {
        /// Model that was called; nil if it is the response's own.
        package var model: String?
        package var details = UsageDetails()
        package var prompt = 0
        package var completion = 0
        /// Whether the upstream reports the call in an unknown format.
        package var isUnknown = false
    }

    let tokens: BilledTokens
    let iterations: [Iteration]

    private static let mostIterations = 256
    private static let longestName = 512

    init(_ tokens: BilledTokens, _ iterations: [Iteration]) {
        self.tokens = tokens
        self.iterations = iterations
    }

    package static func == (left: SpecialUsage, right: SpecialUsage) -> Bool {
        left.tokens == right.tokens && left.iterations == right.iterations
    }

    /// Merges two reports of one response: counts of the later report replace those of the earlier one.
    func updated(with later: SpecialUsage) -> SpecialUsage {
        var tokens = tokens
        tokens.update(with: later.tokens)
        return SpecialUsage(tokens, later.iterations.isEmpty ? iterations : later.iterations)
    }

    /// Reads the elements of Anthropic's `iterations`. An element that cannot be read has an unknown price.
    static func readIterations(_ cursor: inout JSONCursor) throws(JSONError) -> [Iteration] {
        var iterations: [Iteration] = []
        try cursor.beginArray()
        while try cursor.nextElement() {
            if iterations.count < mostIterations, try cursor.kind() == .object {
                iterations.append(try Iteration(&cursor, longestName: longestName))
            } else {
                try cursor.skipValue()
                if iterations.count <= mostIterations { iterations.append(.unknown) }
            }
        }
        return iterations
    }
}

extension SpecialUsage.Iteration {
    fileprivate static let unknown: SpecialUsage.Iteration = {
        var iteration = SpecialUsage.Iteration()
        iteration.isUnknown = true
        return iteration
    }()

    fileprivate init(_ cursor: inout JSONCursor, longestName: Int) throws(JSONError) {
        var (prompt, completion): (Int?, Int?)
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            if cursor.equals(key, "input_tokens") {
                prompt = TokenUsage.count(try cursor.integer())
            } else if cursor.equals(key, "output_tokens") {
                completion = TokenUsage.count(try cursor.integer())
            } else if cursor.equals(key, "model"), try cursor.kind() == .string {
                let name = try cursor.string()
                model = cursor.decoded(name)
                if name.contents.count > longestName { isUnknown = true }
            } else if try !details.readMember(key, &cursor) {
                try cursor.skipValue()
            }
        }
        guard let prompt = details.prompt(prompt, apart: true), let completion else {
            self = .unknown
            return
        }
        (self.prompt, self.completion) = (prompt, completion)
    }
}
