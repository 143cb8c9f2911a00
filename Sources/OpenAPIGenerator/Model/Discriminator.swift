/// The member of an object that says which of several schemas it has.
struct Discriminator {
    struct Value {
        let text: String
        /// A name of the components.
        let schema: String
    }

    let position: SourcePosition
    let property: String
    let mapping: [Value]

    /// The values that stand for a schema: its own name where no other is given.
    func values(of schema: String) -> [String] {
        let texts = mapping.filter { $0.schema == schema }.map(\.text)
        return texts.isEmpty ? [schema] : texts
    }
}
