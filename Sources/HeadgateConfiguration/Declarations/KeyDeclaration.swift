/// Declaration of one configuration key. The decoder takes a mapping's keys from its declaration, the schema is written
/// from it, and the default is decoded as if it were in the file, so the three cannot disagree.
struct KeyDeclaration: Sendable {
    /// Meaning of a missing key.
    enum Standard: Sendable {
        /// Decoded as if it had been written.
        case value(String)
        /// For people only, where the value depends on something else.
        case described(String)
    }

    let name: String
    let form: Form
    /// One sentence for editors.
    let summary: String
    let standard: Standard?
    let isRequired: Bool
    /// Keys of the mapping that this one replaces: they must not be present with it, and are not required.
    let replaced: [String]
    /// Whether nothing after the colon means the same as no key.
    let mayBeEmpty: Bool
    /// The kinds of upstreams that take the key; only for the keys of an upstream.
    let kinds: [UpstreamKind]

    init(
        _ name: String, _ form: Form, _ summary: String, standard: Standard? = nil, isRequired: Bool = false,
        replaces replaced: [String] = [], mayBeEmpty: Bool = false, kinds: [UpstreamKind] = UpstreamKind.allCases
    ) {
        self.name = name
        self.form = form
        self.summary = summary
        self.standard = standard
        self.isRequired = isRequired
        self.replaced = replaced
        self.mayBeEmpty = mayBeEmpty
        self.kinds = kinds
    }
}

/// A mapping whose keys are known in advance.
struct MappingDeclaration: Sendable {
    /// Name in the schema.
    let name: String
    let keys: [KeyDeclaration]

    var names: [String] { keys.map(\.name) }

    subscript(name: String) -> KeyDeclaration? { keys.first { $0.name == name } }
}
