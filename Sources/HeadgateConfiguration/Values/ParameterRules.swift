internal import HeadgatePrimitives

/// Changes to the top-level members of request bodies for an upstream.
package struct ParameterRules: Sendable, Hashable {
    package struct Parameter: Sendable, Hashable {
        /// A member's name.
        package var name: String
        /// Its value, as compact JSON.
        package var json: [UInt8]

        package init(name: String, json: [UInt8]) {
            self.name = name
            self.json = json
        }

        package static func == (left: Parameter, right: Parameter) -> Bool {
            left.name.isExactly(right.name) && left.json == right.json
        }

        package func hash(into hasher: inout Hasher) { hasher.combine(ExactText(name)) }
    }

    /// Set where the client says nothing.
    package var defaults: [Parameter]
    /// Set whatever the client says.
    package var overrides: [Parameter]
    /// Taken out. No name is in more than one of the three.
    package var strip: [String]

    package init(defaults: [Parameter] = [], overrides: [Parameter] = [], strip: [String] = []) {
        self.defaults = defaults
        self.overrides = overrides
        self.strip = strip
    }

    package var isEmpty: Bool { defaults.isEmpty && overrides.isEmpty && strip.isEmpty }
}

extension ParameterRules {
    /// Members that decide the route, the relay or the content of a request.
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
