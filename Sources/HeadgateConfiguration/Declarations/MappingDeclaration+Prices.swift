/// Of price files, which are no part of the configuration file.
extension MappingDeclaration {
    static let prices = MappingDeclaration(
        name: "prices",
        keys: [KeyDeclaration("models", .named(.mapping(.price)), "Names and patterns of models, and what each costs.")]
    )

    static let price = MappingDeclaration(
        name: "price",
        keys: [
            KeyDeclaration("input", .text, "USD per million tokens of a prompt.", isRequired: true),
            KeyDeclaration("output", .text, "USD per million tokens of an answer.", isRequired: true),
            KeyDeclaration("cached_input", .text, "Of a prompt's tokens that are read from the upstream's cache."),
            KeyDeclaration("cache_write", .text, "Of those that are written to it."),
            KeyDeclaration("max_prompt", .wholeNumber(1...1_000_000_000), "The longest prompt with these prices."),
        ])
}
