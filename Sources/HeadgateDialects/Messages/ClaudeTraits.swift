/// Parameters that an Anthropic model accepts, by the version in its name. Newer models reject parameters that older
/// clients still send. A model without a version in its name is assumed to accept all of them.
struct ClaudeTraits: Equatable {
    struct Version: Comparable {
        var major: Int
        var minor: Int

        static func < (left: Version, right: Version) -> Bool {
            (left.major, left.minor) < (right.major, right.minor)
        }
    }

    enum Thinking: Equatable {
        case none
        /// Thinking up to a number of tokens.
        case budget
        /// Thinking as long as the model finds right for an effort.
        case adaptive
    }

    let version: Version?

    /// - Parameter model: A name such as `claude-3-5-sonnet-latest`, `anthropic/claude-sonnet-4.5` or
    ///   `eu.anthropic.claude-opus-4-6-v1:0`.
    init(model: String) {
        let name = model.lowercased()
        guard let family = name.firstRange(of: "claude") else {
            version = nil
            return
        }
        let words = name[family.upperBound...].split { !($0.isLetter || $0.isNumber) }
        // Longer numbers are dates.
        func number(_ word: Substring) -> Int? { word.utf8.count <= 2 ? Int(word) : nil }
        guard let first = words.firstIndex(where: { number($0) != nil }), let major = number(words[first]) else {
            version = nil
            return
        }
        let next = first + 1
        version = Version(major: major, minor: next < words.count ? number(words[next]) ?? 0 : 0)
    }

    var thinking: Thinking {
        if isFrom(4, 6) { return .adaptive }
        return isBefore(3, 7) ? .none : .budget
    }
    var alwaysThinks: Bool { isFrom(5, 0) }
    var takesSampling: Bool { !isFrom(4, 7) }
    var takesTemperatureWithTopP: Bool { !isFrom(4, 1) }
    var takesForcedTools: Bool { !isFrom(5, 0) }
    /// Whether the last turn can be the model's own, which it then continues.
    var takesPrefill: Bool { !isFrom(4, 6) }
    /// Whether schemas of responses and tools are enforced.
    var takesSchemas: Bool { !isBefore(4, 1) }
    var takesExtremeEffort: Bool { isFrom(4, 7) }

    private func isFrom(_ major: Int, _ minor: Int) -> Bool {
        version.map { $0 >= Version(major: major, minor: minor) } ?? false
    }

    private func isBefore(_ major: Int, _ minor: Int) -> Bool {
        version.map { $0 < Version(major: major, minor: minor) } ?? false
    }
}
