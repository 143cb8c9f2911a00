internal import HeadgatePrimitives

/// What is done to the top-level members of request bodies on their way to an upstream.
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
