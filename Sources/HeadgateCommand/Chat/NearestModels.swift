import HeadgateConfiguration

/// The names of models that a name was most likely meant to be.
enum NearestModels {
    private static let most = 3

    /// Those that differ by little, the closest first, then those that hold the name.
    static func names(for name: String, in names: [String]) -> [String] {
        var found: [String] = []
        while found.count < most, let next = nearest(name, in: names.filter { !found.contains($0) }) {
            found.append(next)
        }
        let part = name.lowercased()
        let holding = names.filter { !part.isEmpty && $0.lowercased().contains(part) && !found.contains($0) }
        return Array((found + holding).prefix(most))
    }
}
