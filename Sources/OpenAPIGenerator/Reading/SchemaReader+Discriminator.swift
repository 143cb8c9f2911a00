extension SchemaReader {
    /// Reads which member of an object says which of several schemas it has.
    func discriminator(_ node: DocumentNode) -> Discriminator? {
        guard var members = Members(node, "a discriminator", diagnostics),
            let name = members.requiredString("propertyName")
        else { return nil }
        let mapping = members.named("mapping").compactMap { member -> Discriminator.Value? in
            guard case .string(let text) = member.value.value else {
                diagnostics.report(member.value.position, "a 'mapping' leads to schemas, not to \(member.value.kind)")
                return nil
            }
            // Also a name alone may stand for a schema.
            let reference = known.contains(text) ? "#/components/schemas/\(text)" : text
            return Reference.name(in: reference, "schemas", known, member.value.position, diagnostics)
                .map { Discriminator.Value(text: member.key, schema: $0) }
        }
        members.finish()
        return Discriminator(position: node.position, property: name, mapping: mapping)
    }
}
