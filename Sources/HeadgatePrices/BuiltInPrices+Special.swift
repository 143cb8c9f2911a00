internal import HeadgatePrimitives

/// Built-in prices other than the standard price of text.
extension BuiltInPrices {
    /// The columns of the table by the names of models.
    static let special: [Substring: [Substring]] = {
        let lines = specialTable.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.split(separator: " ") }
        return Dictionary(uniqueKeysWithValues: lines.map { ($0[0], Array($0.dropFirst())) })
    }()

    // The first column is the model, and then come pairs of words. `hour` is the price of input that is written to a
    // cache for an hour or longer. `long` has the prices of prompts that are too long for the other prices. `audio` and
    // `image` have the prices of input and output. All other pairs are tiers. The prices of a tier, and long ones, are
    // those of input, cached input, written input, output and, if there is a fifth, `hour`. A tier with one number
    // multiplies all prices of the model by that number.
    private static let specialTable = """
        # OpenAI
        gpt-3.5-turbo-0125 batch 0.5
        gpt-4-0613 batch 0.5
        gpt-4.1 priority 1.75 batch 1/-/-/4
        gpt-4.1-mini priority 1.75 batch 0.2/-/-/0.8
        gpt-4.1-nano priority 2 batch 0.05/-/-/0.2
        gpt-4o priority 1.7 batch 1.25/-/-/5
        gpt-4o-2024-05-13 priority 1.75 batch 0.5
        gpt-4o-mini priority 0.25/0.125/-/1 batch 0.075/-/-/0.3
        gpt-5 flex 0.5 priority 2 batch 0.5
        gpt-5-mini flex 0.5 priority 1.8 batch 0.5
        gpt-5-nano flex 0.5 batch 0.5
        gpt-5-pro batch 0.5
        gpt-5.1 flex 0.5 priority 2 batch 0.5
        gpt-5.2 flex 0.5 priority 2 batch 0.5
        gpt-5.2-pro batch 0.5
        gpt-5.3-codex priority 2
        gpt-5.4 long 5/0.5/-/22.5 flex 1.25/0.13/-/7.5 priority 5/0.5/-/30 batch 1.25/0.13/-/7.5
        gpt-5.4-mini flex 0.5 priority 2 batch 0.5
        gpt-5.4-nano flex 0.5 batch 0.5
        gpt-5.4-pro long 60/-/-/270 flex 0.5 batch 0.5
        gpt-5.5 long 10/1/-/45 flex 0.5 priority 12.5/1.25/-/75 batch 0.5
        gpt-5.5-pro long 60/-/-/270 flex 15/-/-/90 batch 0.5
        gpt-5.6 hour 10 long 8/0.8/10/30/20 flex 0.5 priority 2 batch 0.5
        gpt-5.6-cyber hour 31.25
        gpt-5.6-luna hour 0.5 long 0.4/0.04/0.5/1.8/1 flex 0.5 priority 2 batch 0.5
        gpt-5.6-sol hour 10 long 8/0.8/10/30/20 flex 0.5 priority 2 batch 0.5
        gpt-5.6-terra hour 5 long 4/0.4/5/18/10 flex 0.5 priority 2 batch 0.5
        gpt-6-astra hour 25 long 20/2/25/75/50 flex 0.5 priority 2 ultrafast 6 batch 0.5
        gpt-6-cyber hour 50
        gpt-6-luna hour 0.25 long 0.2/0.02/0.25/0.75/0.5 flex 0.5 priority 2 batch 0.5
        gpt-6-rosalind hour 37.5
        gpt-6-sol hour 5 long 4/0.4/5/15/10 flex 0.5 priority 2 batch 0.5
        gpt-6.1-sol hour 5 long 4/0.2/5/15/10 flex 0.5 priority 2 ultrafast 6 batch 0.5
        gpt-6.1-terra hour 2.5 long 2/0.1/2.5/7.5/5 flex 0.5 priority 2 batch 0.5
        o1 batch 7.5/-/-/30
        o1-pro batch 0.5
        o3 flex 0.5 priority 1.75 batch 1/-/-/4
        o3-mini batch 0.55/-/-/2.2
        o3-pro batch 0.5
        o4-mini flex 0.55/0.138/-/2.2 priority 2/0.5/-/8 batch 0.55/-/-/2.2
        text-embedding-3-large batch 0.5
        text-embedding-3-small batch 0.5
        text-embedding-ada-002-v2 batch 0.5
        # Anthropic
        claude-fable-5 hour 20 batch 0.5
        claude-fable-5-1 hour 20 batch 0.5
        claude-haiku-4-5 hour 2 batch 0.5
        claude-haiku-5-5 hour 0.2 long 0.5/0.05/0.625/2.5/1 batch 0.5
        claude-mythos-5 hour 20 batch 0.5
        claude-mythos-5-1 hour 20 batch 0.5
        claude-mythos-preview hour 20
        claude-opus-4-5 hour 10 batch 0.5
        claude-opus-4-6 hour 10 batch 0.5
        claude-opus-4-7 hour 10 batch 0.5
        claude-opus-4-8 hour 10 batch 0.5 fast 2
        claude-opus-5 hour 10 batch 0.5 fast 2
        claude-opus-5-5 hour 8 batch 0.5 fast 2
        claude-sonnet-4-5 hour 6 batch 0.5
        claude-sonnet-4-6 hour 6 batch 0.5
        claude-sonnet-5 hour 4 batch 0.5
        claude-sonnet-5-5 hour 4 batch 0.5
        # Google
        gemini-2.5-flash audio 1/- flex 0.15/0.03/-/1.25 priority 1.8 batch 0.15/-/-/1.25
        gemini-2.5-flash-lite audio 0.3/- flex 0.05/0.01/-/0.2 priority 1.8 batch 0.05/-/-/0.2
        gemini-2.5-pro long 2.5/0.25/-/15 flex 0.625/0.125/-/5 priority 1.8 batch 0.625/-/-/5
        gemini-3-flash-preview audio 1/- flex 0.25/-/-/1.5 priority 1.8 batch 0.25/-/-/1.5
        gemini-3.1-flash-lite audio 0.5/- flex 0.5 priority 1.8 batch 0.5
        gemini-3.1-flash-lite-preview audio 0.5/-
        gemini-3.1-pro-preview long 4/0.4/-/18 flex 1/-/-/6 priority 1.8 batch 1/-/-/6
        gemini-3.5-flash audio 1.5/- flex 0.75/0.075/-/4.5 priority 1.8 batch 0.75/0.075/-/4.5
        gemini-3.5-flash-lite flex 0.5 priority 1.8 batch 0.5
        gemini-3.6-flash flex 0.5 priority 1.8 batch 0.5
        gemini-3.7-flash flex 0.5 priority 1.8 batch 0.5
        gemini-3.8-flash flex 0.5 priority 1.8 batch 0.5
        gemini-4-argon flex 0.5 priority 1.8 batch 0.5
        gemini-4-hydrogen flex 0.5 priority 1.8 batch 0.5
        gemini-embedding-2 audio 6.5/- image 0.45/-
        gemini-embedding-2-preview audio 6.5/- image 0.45/-
        gemini-flash-latest flex 0.5 priority 1.8 batch 0.375/-/-/1.875
        gemini-flash-lite-latest flex 0.15/0.02/-/1.25 priority 0.54/0.05/-/4.5 batch 0.15/-/-/1.25
        gemini-omni-1.1-flash audio 1.5/-
        gemini-pro-latest long 4/0.4/-/18 flex 1/0.2/-/6 priority 1.8 batch 1/-/-/6
        # xAI
        grok-4.20 long 2.5/0.4/-/5 batch 0.8
        grok-4.20-non-reasoning long 2.5/0.4/-/5 batch 0.8
        grok-4.20-non-reasoning-latest long 2.5/0.4/-/5 batch 0.8
        grok-4.20-reasoning long 2.5/0.4/-/5 batch 0.8
        grok-4.20-reasoning-latest long 2.5/0.4/-/5 batch 0.8
        grok-4.3 long 2.5/0.4/-/5 batch 0.8
        grok-4.3-latest long 2.5/0.4/-/5 batch 0.8
        grok-4.5 long 4/0.6/-/12
        grok-4.5-latest long 4/0.6/-/12
        grok-4.6 long 4/1/-/12
        grok-4.7 long 4/1/-/12 batch 0.8
        grok-build-0.1 long 2/0.4/-/4
        grok-build-latest long 4/0.6/-/12
        # Moonshot
        kimi-k3 hour 6
        kimi-k3.1-pro hour 4
        kimi-k3.1-pro-highspeed hour 8
        # Cohere
        embed-v4.0 image 0.47/-
        """
}

extension SpecialPrices {
    /// Creates the special prices of a model from its row.
    ///
    /// - Parameters:
    ///   - words: The words after the model in the table.
    ///   - standard: The model's price without them.
    convenience init?(_ words: [Substring], of standard: TokenPrice) {
        var (hour, audio, image): (Int?, [Int?], [Int?]) = (nil, [nil, nil], [nil, nil])
        var long: TokenPrice?
        var tiers: [(name: Substring, price: Substring)] = []
        for pair in stride(from: 0, to: words.count - 1, by: 2).map({ (words[$0], words[$0 + 1]) }) {
            switch pair.0 {
            case "hour": hour = SpecialPrices.price(pair.1)
            case "audio": audio = SpecialPrices.prices(pair.1)
            case "image": image = SpecialPrices.prices(pair.1)
            case "long": long = TokenPrice(row: pair.1, longestPrompt: nil)
            default: tiers.append((name: pair.0, price: pair.1))
            }
        }
        func special(_ tiers: [ServiceTier: TokenPrice]) -> SpecialPrices? {
            SpecialPrices(
                longWrite: hour, audioInput: audio[0], audioOutput: audio[1], imageInput: image[0],
                imageOutput: image[1], long: long, tiers: tiers)
        }
        let whole = standard.with(special([:]))
        let priced = tiers.map { tier -> (ServiceTier, TokenPrice) in
            let factor = tier.price.contains("/") ? nil : DecimalText.number(String(tier.price), digits: 2)
            let price =
                factor.map(whole.scaled) ?? TokenPrice(row: tier.price, longestPrompt: standard.longestPrompt)
            guard let name = ServiceTier(rawValue: String(tier.name)), let price else {
                preconditionFailure("no price of a tier: \(words)")
            }
            return (name, price)
        }
        self.init(
            longWrite: hour, audioInput: audio[0], audioOutput: audio[1], imageInput: image[0], imageOutput: image[1],
            long: long, tiers: Dictionary(uniqueKeysWithValues: priced))
    }

    fileprivate static func price(_ text: Substring) -> Int? {
        DecimalText.number(String(text), digits: TokenPrice.digits)
    }

    fileprivate static func prices(_ text: Substring) -> [Int?] { text.split(separator: "/").map(price) }
}

extension TokenPrice {
    /// Creates a price from `input/cached/written/output`, optionally with a fifth number for input that is written for
    /// an hour.
    fileprivate init?(row: Substring, longestPrompt: Int?) {
        let prices = SpecialPrices.prices(row)
        guard (4...5).contains(prices.count), let input = prices[0], let output = prices[3] else { return nil }
        self.init(
            input: input, cachedInput: prices[1], cacheWrite: prices[2], output: output, longestPrompt: longestPrompt,
            special: SpecialPrices(longWrite: prices.count == 5 ? prices[4] : nil))
    }

    func with(_ special: SpecialPrices?) -> TokenPrice {
        TokenPrice(
            input: input, cachedInput: cachedInput, cacheWrite: cacheWrite, output: output,
            longestPrompt: longestPrompt, special: special)
    }
}
