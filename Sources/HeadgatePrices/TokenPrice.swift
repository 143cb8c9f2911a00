/// The price of a model's tokens in picodollars (10⁻¹² USD), which is USD per million tokens with six decimal places.
/// Integers make sums exact.
package struct TokenPrice: Sendable, Equatable {
    package let input: Int
    /// The price of input tokens that the upstream read from its cache.
    package let cachedInput: Int
    /// The price of input tokens that the upstream wrote to its cache.
    package let cacheWrite: Int
    package let output: Int
    /// The maximum number of tokens of a prompt at this price; nil if it applies to all prompts.
    package let longestPrompt: Int?
    /// The prices of features that few requests use; nil if none are known.
    package let special: SpecialPrices?

    /// The number of decimal places of prices in USD per million tokens.
    package static let digits = 6
    /// The price of a free model, such as one on this device.
    package static let free = TokenPrice(input: 0, output: 0)

    /// Creates a price.
    ///
    /// - Parameters:
    ///   - cachedInput: The price of cached input; nil if it is that of other input.
    ///   - cacheWrite: The price of input that is written to a cache; nil if it is that of other input.
    package init(
        input: Int, cachedInput: Int? = nil, cacheWrite: Int? = nil, output: Int, longestPrompt: Int? = nil,
        special: SpecialPrices? = nil
    ) {
        self.input = input
        self.cachedInput = cachedInput ?? input
        self.cacheWrite = cacheWrite ?? input
        self.output = output
        self.longestPrompt = longestPrompt
        self.special = special
    }

    package var isFree: Bool {
        input == 0 && cachedInput == 0 && cacheWrite == 0 && output == 0 && special == nil
    }

    /// Returns the price of a tier; nil if it is unknown.
    package func price(of tier: ServiceTier) -> TokenPrice? {
        tier == .standard || isFree ? self : special?.tiers[tier]
    }

    /// Returns the cost in picodollars; nil if the price of such a long prompt is unknown, or if the counts are
    /// impossible.
    ///
    /// - Parameters:
    ///   - prompt: The number of all tokens of the prompt.
    ///   - cached: The number of prompt tokens read from a cache.
    ///   - written: The number of prompt tokens written to a cache.
    package func cost(prompt: Int, cached: Int = 0, written: Int = 0, completion: Int) -> Int? {
        guard prompt >= 0, cached >= 0, written >= 0, completion >= 0, cached <= prompt, written <= prompt - cached
        else { return nil }
        if let longestPrompt, prompt > longestPrompt {
            return special?.long?.cost(prompt: prompt, cached: cached, written: written, completion: completion)
        }
        // There is no list of parts, because it would be an allocation for each request.
        var sum = TokenPrice.Sum()
        sum.add(prompt - cached - written, at: input)
        sum.add(cached, at: cachedInput)
        sum.add(written, at: cacheWrite)
        sum.add(completion, at: output)
        return sum.value
    }

    /// Returns the cost of tokens of several kinds in picodollars; nil if the price of one kind is unknown.
    package func cost(of tokens: BilledTokens) -> Int? {
        if let longestPrompt, tokens.prompt > longestPrompt { return special?.long?.cost(of: tokens) }
        // Images in a prompt cost as much as text unless they have a separate price.
        let imageInput = special?.imageInput == nil ? 0 : tokens.imageInput
        let plain = tokens.prompt - tokens.cached - tokens.written - tokens.audioInput - imageInput
        let text = tokens.completion - tokens.audioOutput - tokens.imageOutput
        guard tokens.isCountable, plain >= 0, text >= 0, tokens.longWritten <= tokens.written,
            let longWrite = TokenPrice.price(special?.longWrite, of: tokens.longWritten),
            let audioInput = TokenPrice.price(special?.audioInput, of: tokens.audioInput),
            let audioOutput = TokenPrice.price(special?.audioOutput, of: tokens.audioOutput),
            let imageOutput = TokenPrice.price(special?.imageOutput, of: tokens.imageOutput)
        else { return nil }
        var sum = TokenPrice.Sum()
        sum.add(plain, at: input)
        sum.add(tokens.cached, at: cachedInput)
        sum.add(tokens.written - tokens.longWritten, at: cacheWrite)
        sum.add(tokens.longWritten, at: longWrite)
        sum.add(tokens.audioInput, at: audioInput)
        sum.add(imageInput, at: special?.imageInput ?? 0)
        sum.add(text, at: output)
        sum.add(tokens.audioOutput, at: audioOutput)
        sum.add(tokens.imageOutput, at: imageOutput)
        return sum.value
    }

    private static func price(_ price: Int?, of tokens: Int) -> Int? { tokens == 0 ? 0 : price }

    /// A sum of costs. It becomes nil on overflow, because an upstream may report any count.
    private struct Sum {
        var value: Int? = 0

        mutating func add(_ count: Int, at price: Int) {
            guard let sum = value else { return }
            let (product, overflows) = count.multipliedReportingOverflow(by: price)
            let (total, isTooMuch) = sum.addingReportingOverflow(product)
            value = overflows || isTooMuch ? nil : total
        }
    }

    /// Returns the price with all numbers multiplied by a factor.
    ///
    /// - Parameter percent: The factor in hundredths.
    func scaled(_ percent: Int) -> TokenPrice {
        func scaled(_ price: Int) -> Int { price * percent / 100 }
        return TokenPrice(
            input: scaled(input), cachedInput: scaled(cachedInput), cacheWrite: scaled(cacheWrite),
            output: scaled(output), longestPrompt: longestPrompt, special: special?.scaled(percent))
    }
}

/// Prices of features that few requests use; nil for those that are unknown.
package final class SpecialPrices: Sendable, Equatable {
    /// The price of input tokens that the upstream writes to its cache for an hour or longer.
    package let longWrite: Int?
    package let audioInput: Int?
    package let audioOutput: Int?
    /// The price of images in the input; nil if it is that of text.
    package let imageInput: Int?
    package let imageOutput: Int?
    /// All prices for prompts longer than ``TokenPrice/longestPrompt``.
    package let long: TokenPrice?
    package let tiers: [ServiceTier: TokenPrice]

    /// Creates the prices; returns nil if there are none.
    package init?(
        longWrite: Int? = nil, audioInput: Int? = nil, audioOutput: Int? = nil, imageInput: Int? = nil,
        imageOutput: Int? = nil, long: TokenPrice? = nil, tiers: [ServiceTier: TokenPrice] = [:]
    ) {
        self.longWrite = longWrite
        self.audioInput = audioInput
        self.audioOutput = audioOutput
        self.imageInput = imageInput
        self.imageOutput = imageOutput
        self.long = long
        self.tiers = tiers
        let prices = [longWrite, audioInput, audioOutput, imageInput, imageOutput]
        if long == nil, tiers.isEmpty, prices.allSatisfy({ $0 == nil }) { return nil }
    }

    package static func == (left: SpecialPrices, right: SpecialPrices) -> Bool {
        left.longWrite == right.longWrite && left.audioInput == right.audioInput
            && left.audioOutput == right.audioOutput && left.imageInput == right.imageInput
            && left.imageOutput == right.imageOutput && left.long == right.long && left.tiers == right.tiers
    }

    /// Returns the special prices of a tier, without those of further tiers.
    fileprivate func scaled(_ percent: Int) -> SpecialPrices? {
        func scaled(_ price: Int?) -> Int? { price.map { $0 * percent / 100 } }
        return SpecialPrices(
            longWrite: scaled(longWrite), audioInput: scaled(audioInput), audioOutput: scaled(audioOutput),
            imageInput: scaled(imageInput), imageOutput: scaled(imageOutput), long: long?.scaled(percent))
    }
}

/// The numbers of tokens of a response by their prices. Tokens of caches, audio and images are included in the others.
package struct BilledTokens: Sendable, Equatable {
    package var prompt = 0
    package var cached = 0
    package var written = 0
    /// The tokens among ``written`` that are cached for an hour or longer.
    package var longWritten = 0
    package var audioInput = 0
    package var imageInput = 0
    package var completion = 0
    package var audioOutput = 0
    package var imageOutput = 0

    package init() {}

    fileprivate var isCountable: Bool {
        [prompt, cached, written, longWritten, audioInput, imageInput, completion, audioOutput, imageOutput]
            .allSatisfy { (0...1 << 50).contains($0) }
    }

    /// Replaces the special counts that a later report has.
    package mutating func update(with later: BilledTokens) {
        if later.longWritten > 0 { longWritten = later.longWritten }
        if later.audioInput > 0 { audioInput = later.audioInput }
        if later.imageInput > 0 { imageInput = later.imageInput }
        if later.audioOutput > 0 { audioOutput = later.audioOutput }
        if later.imageOutput > 0 { imageOutput = later.imageOutput }
    }
}
