internal import HeadgatePrimitives

extension ParameterRules {
    /// Members that decide where a request goes, how its answer is relayed, or what it asks.
    static let protected: Set<String> = ["model", "stream", "messages", "input"]

    /// These rules, and those of the others whose names are not in these.
    package func merged(over others: ParameterRules) -> ParameterRules {
        guard !isEmpty else { return others }
        let names = Set((defaults.map(\.name) + overrides.map(\.name) + strip).map(ExactText.init))
        return ParameterRules(
            defaults: others.defaults.filter { !names.contains(ExactText($0.name)) } + defaults,
            overrides: others.overrides.filter { !names.contains(ExactText($0.name)) } + overrides,
            strip: others.strip.filter { !names.contains(ExactText($0)) } + strip)
    }
}
