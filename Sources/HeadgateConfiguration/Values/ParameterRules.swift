internal import HeadgatePrimitives

/// Changes to the top-level members of request bodies for an upstream.
package struct ParameterRules: Sendable, Hashable {
    package struct Parameter: Sendable, Hashable {
        /// Name of a member.
        package var name: String
        /// Value as compact JSON.
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

    /// Members that are set if the client does not set them.
    package var defaults: [Parameter]
    /// Members that are always set.
    package var overrides: [Parameter]
    /// Names of members that are removed. No name is in more than one of the three lists.
    package var strip: [String]

    package init(defaults: [Parameter] = [], overrides: [Parameter] = [], strip: [String] = []) {
        self.defaults = defaults
        self.overrides = overrides
        self.strip = strip
    }

    package var isEmpty: Bool { defaults.isEmpty && overrides.isEmpty && strip.isEmpty }
}

extension ParameterRules {
    /// Members that cannot be changed, because they decide the route, the relay or the content of a request.
    static let protected: Set<String> = ["model", "stream", "messages", "input"]

    /// Returns these rules, and those of `others` whose names these rules do not contain.
    package func merged(over others: ParameterRules) -> ParameterRules {
        guard !isEmpty else { return others }
        let names = Set((defaults.map(\.name) + overrides.map(\.name) + strip).map(ExactText.init))
        return ParameterRules(
            defaults: others.defaults.filter { !names.contains(ExactText($0.name)) } + defaults,
            overrides: others.overrides.filter { !names.contains(ExactText($0.name)) } + overrides,
            strip: others.strip.filter { !names.contains(ExactText($0)) } + strip)
    }
}
