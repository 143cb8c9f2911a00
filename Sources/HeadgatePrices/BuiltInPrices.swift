internal import HeadgatePrimitives

/// Built-in list prices. They become outdated, so a price file takes precedence.
enum BuiltInPrices {
    /// The source of the prices.
    static let source = "the vendors' list prices as LiteLLM 1.110.2 has them"
    static let date = "November 2026"

    /// The entries, each for a model and its dated snapshots, such as `gpt-5-2025-08-07`. Any other name with the same
    /// beginning is another model.
    static let entries: [PriceEntry] = table.split(separator: "\n").filter { !$0.hasPrefix("#") }.flatMap { line in
        let columns = line.split(separator: " ").map(String.init)
        guard (6...7).contains(columns.count), let standard = TokenPrice(columns) else {
            preconditionFailure("no price: \(line)")
        }
        let price =
            special[line.prefix { $0 != " " }]
            .map { standard.with(SpecialPrices($0, of: standard)) } ?? standard
        let retires = columns.count == 7 ? columns[6] : nil
        return [columns[0], columns[0] + "-20*"].map {
            PriceEntry(name: $0, price: price, source: .builtIn, retires: retires)
        }
    }

    // The columns are the model, four prices in USD per million tokens, the longest prompt that has these prices, and a
    // day. The prices are those of input, cached input, input that is written to a cache for minutes, and output. The
    // day is the first on which the vendor no longer serves the model; it is missing if none is announced. A dash means
    // the price of other input, or no limit.
    private static let table = """
        # OpenAI
        chat-latest 5 0.5 - 30 -
        gpt-3.5-turbo 0.5 - - 1.5 - 2026-10-23
        gpt-3.5-turbo-0125 0.5 - - 1.5 - 2026-10-23
        gpt-4 30 - - 60 - 2026-10-23
        gpt-4-0613 30 - - 60 - 2026-10-23
        gpt-4-turbo 10 - - 30 - 2026-10-23
        gpt-4.1 2 0.5 - 8 - 2027-01-14
        gpt-4.1-mini 0.4 0.1 - 1.6 - 2027-01-14
        gpt-4.1-nano 0.1 0.025 - 0.4 - 2026-10-23
        gpt-4o 2.5 1.25 - 10 - 2027-01-14
        gpt-4o-2024-05-13 5 - - 15 -
        gpt-4o-mini 0.15 0.075 - 0.6 - 2027-01-14
        gpt-5 1.25 0.125 - 10 - 2026-12-11
        gpt-5-chat 1.25 0.125 - 10 - 2026-07-23
        gpt-5-codex 1.25 0.125 - 10 - 2026-07-23
        gpt-5-mini 0.25 0.025 - 2 - 2026-12-11
        gpt-5-nano 0.05 0.005 - 0.4 - 2026-12-11
        gpt-5-pro 15 - - 120 - 2026-12-11
        gpt-5.1 1.25 0.125 - 10 -
        gpt-5.1-codex 1.25 0.125 - 10 - 2026-07-23
        gpt-5.1-codex-max 1.25 0.125 - 10 - 2026-07-23
        gpt-5.1-codex-mini 0.25 0.025 - 2 - 2026-07-23
        gpt-5.2 1.75 0.175 - 14 -
        gpt-5.2-codex 1.75 0.175 - 14 - 2026-07-23
        gpt-5.2-pro 21 - - 168 -
        gpt-5.3-codex 1.75 0.175 - 14 -
        gpt-5.4 2.5 0.25 - 15 272000
        gpt-5.4-mini 0.75 0.075 - 4.5 -
        gpt-5.4-nano 0.2 0.02 - 1.25 -
        gpt-5.4-pro 30 - - 180 272000
        gpt-5.5 5 0.5 - 30 272000
        gpt-5.5-pro 30 - - 180 272000
        gpt-5.6 4 0.4 5 20 272000
        gpt-5.6-cyber 12.5 1.25 - 75 -
        gpt-5.6-luna 0.2 0.02 0.25 1.2 272000
        gpt-5.6-sol 4 0.4 5 20 272000
        gpt-5.6-terra 2 0.2 2.5 12 272000
        gpt-6-astra 10 1 12.5 50 272000
        gpt-6-astra-law 10 1 - 50 -
        gpt-6-cyber 20 2 - 100 -
        gpt-6-luna 0.1 0.01 0.125 0.5 272000
        gpt-6-rosalind 15 1.5 - 75 -
        gpt-6-sol 2 0.2 2.5 10 272000
        gpt-6.1-sol 2 0.1 2.5 10 272000
        gpt-6.1-terra 1 0.05 1.25 5 272000
        gpt-daybreak-blue-latest 4 0.4 - 20 -
        gpt-daybreak-red-latest 12.5 1.25 - 75 -
        gpt-rosalind-discovery 5 0.5 - 25 -
        gpt-rosalind-research 5 0.5 - 25 -
        o1 15 7.5 - 60 - 2026-10-23
        o1-pro 150 - - 600 - 2026-10-23
        o3 2 0.5 - 8 - 2026-12-11
        o3-deep-research 10 2.5 - 40 - 2026-07-23
        o3-mini 1.1 0.55 - 4.4 - 2026-10-23
        o3-pro 20 - - 80 - 2026-12-11
        o4-mini 1.1 0.275 - 4.4 - 2026-10-23
        o4-mini-deep-research 2 0.5 - 8 - 2026-07-23
        text-embedding-3-large 0.13 - - 0 -
        text-embedding-3-small 0.02 - - 0 -
        text-embedding-ada-002 0.1 - - 0 -
        text-embedding-ada-002-v2 0.1 - - 0 -
        # Anthropic
        claude-fable-5 10 1 12.5 50 -
        claude-fable-5-1 10 0.25 12.5 50 -
        claude-haiku-4-5 1 0.1 1.25 5 -
        claude-haiku-5-5 0.1 0.01 0.125 0.5 100000
        claude-mythos-5 10 1 12.5 50 -
        claude-mythos-5-1 10 0.25 12.5 50 -
        claude-mythos-preview 10 1 12.5 50 - 2026-06-30
        claude-opus-4-5 5 0.5 6.25 25 - 2027-01-22
        claude-opus-4-6 5 0.5 6.25 25 -
        claude-opus-4-7 5 0.5 6.25 25 -
        claude-opus-4-8 5 0.5 6.25 25 -
        claude-opus-5 5 0.5 6.25 25 -
        claude-opus-5-5 4 0.2 5 20 -
        claude-sonnet-4-5 3 0.3 3.75 15 - 2026-11-30
        claude-sonnet-4-6 3 0.3 3.75 15 -
        claude-sonnet-5 2 0.2 2.5 10 -
        claude-sonnet-5-5 2 0.1 2.5 10 -
        # Google
        gemini-2.5-flash 0.3 0.03 - 2.5 - 2026-12-01
        gemini-2.5-flash-lite 0.1 0.01 - 0.4 -
        gemini-2.5-pro 1.25 0.125 - 10 200000
        gemini-3-flash-preview 0.5 0.05 - 3 -
        gemini-3.1-flash-lite 0.25 0.025 - 1.5 -
        gemini-3.1-flash-lite-preview 0.25 0.025 - 1.5 -
        gemini-3.1-pro-preview 2 0.2 - 12 200000
        gemini-3.5-flash 1.5 0.15 - 9 -
        gemini-3.5-flash-lite 0.3 0.03 - 2.5 -
        gemini-3.6-flash 0.75 0.075 - 3.75 -
        gemini-3.7-flash 0.75 0.075 - 3.75 -
        gemini-3.8-flash 0.75 0.075 - 3.75 -
        gemini-4-argon 2 0.1 - 10 -
        gemini-4-hydrogen 1.5 0.075 - 7.5 -
        gemini-embedding-001 0.15 - - 0 -
        gemini-embedding-2 0.2 - - 0 -
        gemini-embedding-2-preview 0.2 - - 0 -
        gemini-flash-latest 0.75 0.075 - 3.75 -
        gemini-flash-lite-latest 0.3 0.03 - 2.5 -
        gemini-omni-1.1-flash 1.5 - - 9 -
        gemini-omni-1.2-flash 1.5 - - 9 -
        gemini-pro-latest 2 0.2 - 12 200000
        # Mistral
        codestral-2508 0.3 0.03 - 0.9 -
        codestral-embed 0.15 0.015 - 0 -
        codestral-embed-2505 0.15 0.015 - 0 -
        codestral-latest 0.3 0.03 - 0.9 -
        codestral-mamba-latest 0.25 0.025 - 0.25 -
        devstral-latest 0.4 0.04 - 2 -
        devstral-medium-latest 0.4 0.04 - 2 -
        devstral-small-latest 0.1 0.01 - 0.3 -
        magistral-medium-latest 1.5 0.15 - 7.5 -
        magistral-small-latest 0.15 0.015 - 0.6 -
        ministral-14b-2512 0.2 0.02 - 0.2 -
        ministral-14b-latest 0.2 0.02 - 0.2 -
        ministral-3-14b-2512 0.2 0.02 - 0.2 -
        ministral-3-3b-2512 0.1 0.01 - 0.1 -
        ministral-3-8b-2512 0.15 0.015 - 0.15 -
        ministral-3b-2512 0.1 0.01 - 0.1 -
        ministral-3b-latest 0.1 0.01 - 0.1 -
        ministral-8b-2512 0.15 0.015 - 0.15 -
        ministral-8b-latest 0.15 0.015 - 0.15 -
        mistral-embed 0.1 - - 0 -
        mistral-embed-2312 0.1 - - 0 -
        mistral-large-2512 0.5 0.05 - 1.5 -
        mistral-large-3 0.5 0.05 - 1.5 -
        mistral-large-4 0.7 0.07 - 2.1 -
        mistral-large-4-0 0.7 0.07 - 2.1 -
        mistral-large-latest 0.5 0.05 - 1.5 -
        mistral-medium 1.5 0.15 - 7.5 -
        mistral-medium-2604 1.5 0.15 - 7.5 -
        mistral-medium-3 1.5 0.15 - 7.5 -
        mistral-medium-3-5 1.5 0.15 - 7.5 -
        mistral-medium-3.5 1.5 0.15 - 7.5 -
        mistral-medium-latest 1.5 0.15 - 7.5 -
        mistral-small 0.1 0.01 - 0.3 -
        mistral-small-2603 0.15 0.015 - 0.6 -
        mistral-small-latest 0.15 0.015 - 0.6 -
        open-mistral-nemo 0.3 0.03 - 0.3 -
        pixtral-large-latest 2 0.2 - 6 -
        voxtral-small-2507 0.1 0.01 - 0.4 -
        voxtral-small-latest 0.1 0.01 - 0.4 -
        zai-glm-5-3 1.4 0.14 - 4.4 -
        zai-glm-5-3-flash 0.15 0.03 - 0.5 -
        # DeepSeek
        deepseek-chat 0.28 0.028 - 0.42 - 2026-07-24
        deepseek-coder 0.14 0.014 - 0.28 -
        deepseek-flash 0.3 0.006 - 1.2 -
        deepseek-r1 0.55 0.14 - 2.19 -
        deepseek-reasoner 0.28 0.028 - 0.42 - 2026-07-24
        deepseek-v3 0.27 0.07 - 1.1 -
        deepseek-v3.2 0.28 0.028 - 0.4 -
        deepseek-v4-flash 0.3 0.006 - 1.2 -
        deepseek-v4-pro 1.32 0.044 - 3.96 -
        # xAI
        grok-4.20 1.25 0.2 - 2.5 200000
        grok-4.20-non-reasoning 1.25 0.2 - 2.5 200000
        grok-4.20-non-reasoning-latest 1.25 0.2 - 2.5 200000
        grok-4.20-reasoning 1.25 0.2 - 2.5 200000
        grok-4.20-reasoning-latest 1.25 0.2 - 2.5 200000
        grok-4.3 1.25 0.2 - 2.5 200000
        grok-4.3-latest 1.25 0.2 - 2.5 200000
        grok-4.5 2 0.3 - 6 200000
        grok-4.5-latest 2 0.3 - 6 200000
        grok-4.6 2 0.5 - 6 200000
        grok-4.7 2 0.5 - 6 200000
        grok-build-0.1 1 0.2 - 2 200000
        grok-build-latest 2 0.3 - 6 200000
        grok-code-fast 1 0.2 - 2 -
        grok-code-fast-1 1 0.2 - 2 -
        # Moonshot
        kimi-k2.5 0.6 0.1 - 3 - 2026-08-31
        kimi-k2.6 0.95 0.16 - 4 -
        kimi-k2.7-code 0.95 0.19 - 4 -
        kimi-k3 3 0.3 3 15 -
        kimi-k3.1-pro 2 0.2 2 10 -
        kimi-k3.1-pro-highspeed 4 0.2 4 20 -
        # Cohere
        command-a-03-2025 2.5 - - 10 -
        command-r-08-2024 0.15 - - 0.6 -
        command-r-plus-08-2024 2.5 - - 10 -
        command-r7b-12-2024 0.0375 - - 0.15 -
        embed-v4.0 0.12 - - 0 -
        embed-v5.0-fast 0.08 - - 0 -
        embed-v5.0-pro 0.12 - - 0 -
        """
}

extension TokenPrice {
    /// Creates a price from a row of the table.
    ///
    /// - Parameter columns: The model, and the columns after it.
    fileprivate init?(_ columns: [String]) {
        func price(_ column: Int) -> Int? { DecimalText.number(columns[column], digits: TokenPrice.digits) }
        guard let input = price(1), let output = price(4) else { return nil }
        self.init(
            input: input, cachedInput: price(2), cacheWrite: price(3), output: output, longestPrompt: Int(columns[5]))
    }
}
