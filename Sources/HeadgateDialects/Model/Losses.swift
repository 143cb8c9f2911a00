/// Parts of a request that the upstream's format cannot express, as the client names them.
package struct Losses: Equatable, Sendable {
    /// Format of the client.
    package let client: ClientFormat
    /// Paths of the dropped members, each once, in the order of their discovery. At most ``longest``.
    package private(set) var dropped: [String] = []

    /// Maximum number of paths. No honest request loses as many.
    private static let longest = 64

    package init(client: ClientFormat) { self.client = client }

    package mutating func drop(_ feature: Feature) { drop(member: feature.name(in: client)) }

    /// - Parameter member: Path in the request, with `[]` for each element of an array.
    package mutating func drop(member: String) {
        guard dropped.count < Losses.longest, !dropped.contains(member) else { return }
        dropped.append(member)
    }

    /// Returns the error for a request whose reply would be wrong without a feature.
    ///
    /// - Parameter upstream: The format that lacks the feature.
    package func refusal(of feature: Feature, by upstream: WireFormat) -> TranslationError {
        let name = feature.name(in: client)
        return TranslationError(
            "The upstream of this model speaks \(upstream.title), which has no equivalent of '\(name)': leave it out, "
                + "or name another model.",
            member: name)
    }
}

/// The reason why a request cannot be translated.
package struct TranslationError: Error, Equatable, Sendable {
    /// Message for the client: the problem, and how to solve it.
    package var message: String
    /// Path of the member at fault, such as `messages[2].content[0].type`.
    package var member: String?

    package init(_ message: String, member: String? = nil) {
        self.message = message
        self.member = member
    }
}
