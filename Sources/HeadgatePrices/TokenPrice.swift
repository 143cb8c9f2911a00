/// What tokens of a model cost: picodollars (10⁻¹² USD) each, which is USD per million tokens with six digits after the
/// point. Whole numbers: sums are exact.
package struct TokenPrice: Sendable, Equatable {
    package let input: Int
    /// Of input that the upstream had in its cache.
    package let cachedInput: Int
    /// Of input that it has written to its cache.
    package let cacheWrite: Int
    package let output: Int
    /// Tokens of a prompt. Longer ones cost something else, which is not known; nil where the price holds for all.
    package let longestPrompt: Int?

    /// After the point of USD per million tokens.
    package static let digits = 6
    /// What costs nothing, such as a model on this device.
    package static let free = TokenPrice(input: 0, output: 0)

    /// - Parameters:
    ///   - cachedInput: nil for the same as other input.
    ///   - cacheWrite: likewise.
    package init(
        input: Int, cachedInput: Int? = nil, cacheWrite: Int? = nil, output: Int, longestPrompt: Int? = nil
    ) {
        self.input = input
        self.cachedInput = cachedInput ?? input
        self.cacheWrite = cacheWrite ?? input
        self.output = output
        self.longestPrompt = longestPrompt
    }

    package var isFree: Bool { input == 0 && cachedInput == 0 && cacheWrite == 0 && output == 0 }

    /// Picodollars; nil where the price of so long a prompt is not known, or the counts cannot be.
    ///
    /// - Parameters:
    ///   - prompt: all tokens of the prompt.
    ///   - cached: of these, those read from a cache.
    ///   - written: of these, those written to a cache.
    package func cost(prompt: Int, cached: Int = 0, written: Int = 0, completion: Int) -> Int? {
        guard prompt >= 0, cached >= 0, written >= 0, completion >= 0, cached <= prompt, written <= prompt - cached
        else { return nil }
        if let longestPrompt, prompt > longestPrompt { return nil }
        var sum = 0
        for (count, price) in [
            (prompt - cached - written, input), (cached, cachedInput), (written, cacheWrite), (completion, output),
        ] {
            let (product, overflows) = count.multipliedReportingOverflow(by: price)
            let (total, isTooMuch) = sum.addingReportingOverflow(product)
            // An upstream may report any number.
            if overflows || isTooMuch { return nil }
            sum = total
        }
        return sum
    }
}
