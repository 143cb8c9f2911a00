/// Targets in the package manifest, read from its text.
struct Manifest {
    /// Dependencies by target, without test targets. A product has the name of its module.
    private(set) var sources: [String: Set<String>] = [:]
    private(set) var tests: Set<String> = []

    init(_ text: String) {
        let text = Lexed(text).text(of: [.code, .string])
        var products: [String: String] = [:]
        for match in text.matches(of: #/let (\w+) = Target\.Dependency\.product\(name: "(\w+)"/#) {
            products[String(match.1)] = String(match.2)
        }
        let target =
            #/
            \b(source|command|tests|systemLibrary|target|executableTarget|testTarget|plugin)\(\s*(?:name:\s*)?"(\w+)"
            (?:\s*,\s*(?:dependencies:\s*)?\[([^\]]*)\])?
            /#
        for match in text.matches(of: target) {
            if match.1 == "tests" || match.1 == "testTarget" {
                tests.insert(String(match.2))
                continue
            }
            let words = (match.3 ?? "").matches(of: #/\w+/#).map { String($0.output) }
            sources[String(match.2)] = Set(words.map { products[$0] ?? $0 })
        }
    }
}
