internal import HeadgateConfiguration
internal import HeadgatePrimitives

/// The names of one list, which every request may look into. A copy costs no more than a reference.
package struct ListedModels: Sendable {
    /// In the order of the list, each once.
    package let names: [String]
    private let known: Set<ExactText>

    package init(_ names: [String]) {
        self.names = names
        known = Set(names.map(ExactText.init))
    }

    /// Names are compared byte by byte.
    func contains(_ name: String) -> Bool { known.contains(ExactText(name)) }
}
