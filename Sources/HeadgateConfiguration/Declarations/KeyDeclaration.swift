/// What a configuration may hold at one key. The decoder knows the keys of a mapping from its declaration, the schema
/// is written from it, and the default is decoded as if it stood in the file: the three cannot disagree.
struct KeyDeclaration: Sendable {
    /// What holds when the key is left out.
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
    /// The keys of the mapping that this one stands in place of: they are not written beside it, nor needed.
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
    /// What the schema calls it.
    let name: String
    let keys: [KeyDeclaration]

    var names: [String] { keys.map(\.name) }

    subscript(name: String) -> KeyDeclaration? { keys.first { $0.name == name } }
}
