/// References to components of this document; there are no others.
enum Reference {
    /// The name of the component, or nil, and reported, when there is none.
    static func name(
        in reference: String, _ section: String, _ known: Set<String>, _ position: SourcePosition,
        _ diagnostics: Diagnostics
    ) -> String? {
        let prefix = "#/components/\(section)/"
        guard reference.hasPrefix(prefix) else {
            diagnostics.report(position, "'\(reference)' is not supported here; a reference starts with '\(prefix)'")
            return nil
        }
        let name = String(reference.dropFirst(prefix.count))
        guard known.contains(name) else {
            diagnostics.report(position, "there is no '\(reference)'")
            return nil
        }
        return name
    }
}
