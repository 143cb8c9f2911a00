/// Declaration of one configuration key. The decoder takes a mapping's keys from its declaration, the schema is written
/// from it, and the default is decoded as if it were in the file, so the three cannot disagree.
struct KeyDeclaration: Sendable {
    /// Meaning of a missing key.
    enum Standard: Sendable {
        /// A default that is decoded as if the file contained it.
        case value(String)
        /// A description of a default that depends on something else.
        case described(String)
    }

    let name: String
    let form: Form
    /// One sentence for display in editors.
    let summary: String
    let standard: Standard?
    let isRequired: Bool
    /// Keys of the mapping that this key replaces. They must not be present with it, and are not required then.
    let replaced: [String]
    /// Whether an empty value means the same as a missing key.
    let mayBeEmpty: Bool
    /// Kinds of upstreams that accept the key; only for the keys of an upstream.
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
