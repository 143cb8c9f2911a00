/// Rules that keep the manifest, the folders and the table of layers consistent.
enum ManifestRules {
    /// The manifest and the table must name the same targets with the same dependencies.
    static func differences(_ manifest: Manifest, layers: [Layer]) -> [Violation] {
        let rows = Dictionary(uniqueKeysWithValues: layers.map { ($0.target, $0.uses) })
        return Set(rows.keys).union(manifest.sources.keys).sorted().compactMap { target in
            switch (manifest.sources[target], rows[target]) {
            case (_?, nil):
                return Violation(
                    path: "Package.swift", "\(target) has no row in Layers.swift: give it one, in its layer")
            case (nil, _):
                return Violation(path: "Layers.swift", "\(target) is no target of Package.swift: take its row away")
            case (let declared?, let uses?):
                guard declared != uses else { return nil }
                let odd = declared.symmetricDifference(uses).sorted().joined(separator: ", ")
                return Violation(path: "Package.swift", "\(target) and its row in Layers.swift differ in \(odd)")
            }
        }
    }

    /// A target must build every folder with Swift files.
    static func unbuilt(_ files: [SourceFile], targets: Set<String>) -> [Violation] {
        Set(files.map(\.target)).subtracting(targets).sorted().map { folder in
            Violation(path: folder, "its Swift files belong to no target: add one to Package.swift, or delete them")
        }
    }

    /// There must be an example of a configuration file.
    static func missingExamples(_ names: [String]) -> [Violation] {
        guard !names.contains(where: { $0.hasSuffix(".yaml") }) else { return [] }
        return [Violation(path: "config", "there is no example configuration (*.yaml)")]
    }
}
