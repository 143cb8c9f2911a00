extension MappingDeclaration {
    private static let rate = Form.pattern("^[0-9]+[kM]?/[smhd]$")
    private static let rates = Form.anyOf([rate, .list(rate, minimum: 1)])

    /// Declaration of the limits of a key, a group or a model.
    static let usageLimits = MappingDeclaration(
        name: "usage_limits",
        keys: [
            KeyDeclaration("requests", rates, "Requests within a time, such as 60/m; several as a list."),
            KeyDeclaration(
                "burst", .wholeNumber(1...1_000_000), "Requests at once.",
                standard: .described("as many as the rate says")),
            KeyDeclaration(
                "tokens", rates, "Tokens of prompts and answers within a time, such as 200k/m; several as a list."),
            KeyDeclaration("input_tokens", rates, "Tokens of prompts within a time."),
            KeyDeclaration("output_tokens", rates, "Tokens of answers within a time."),
            KeyDeclaration("in_flight", .wholeNumber(1...1_000_000), "Requests that have not ended."),
        ])

    static let group = MappingDeclaration(
        name: "group",
        keys: [
            KeyDeclaration(
                "limits", .mapping(.usageLimits), "What its keys may use together.",
                standard: .described("as much as they like")),
            KeyDeclaration(
                "budget", .mapping(.budget), "What they may use together in each hour, day, week or month.",
                standard: .described("none")),
        ])

    static let budget = MappingDeclaration(
        name: "budget",
        keys: [
            KeyDeclaration("usd", .amount, "USD, by the prices of the models; or tokens."),
            KeyDeclaration(
                "tokens", .anyOf([.wholeNumber(1...1_000_000_000_000), .pattern("^[0-9]+[kM]?$")]),
                "Tokens of prompts and answers, such as 5M; or usd."),
            KeyDeclaration(
                "every", .choice(BudgetConfiguration.Period.allCases.map(\.rawValue)),
                "For how long: of the calendar in UTC, weeks from Monday on.", isRequired: true),
            KeyDeclaration(
                "strict", .flag, "Whether requests are refused while it is not known what was used before.",
                standard: .value("false")),
        ])
}
