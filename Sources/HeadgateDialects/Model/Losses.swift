/// Parts of a request that the upstream's format cannot express, by the client's names.
package struct Losses: Equatable, Sendable {
    /// The client's format.
    package let client: ClientFormat
    /// Members of the request, each once, in the order in which they were found. At most ``longest``.
    package private(set) var dropped: [String] = []

    /// More than any honest request loses.
    private static let longest = 64

    package init(client: ClientFormat) { self.client = client }

    package mutating func drop(_ feature: Feature) { drop(member: feature.name(in: client)) }

    /// - Parameter member: its path in the request, with `[]` for each element of an array.
    package mutating func drop(member: String) {
        guard dropped.count < Losses.longest, !dropped.contains(member) else { return }
        dropped.append(member)
    }

    /// The refusal of a request whose answer would be wrong without the feature.
    ///
    /// - Parameter upstream: the format that does not have it.
    package func refusal(of feature: Feature, by upstream: WireFormat) -> TranslationError {
        let name = feature.name(in: client)
        return TranslationError(
            "The upstream of this model speaks \(upstream.title), which has no equivalent of '\(name)': leave it out, "
                + "or name another model.",
            member: name)
    }
}

/// Why a request cannot be translated.
package struct TranslationError: Error, Equatable, Sendable {
    /// For the client: what is wrong, and what to do.
    package var message: String
    /// The member of the request that is at fault, as a path such as `messages[2].content[0].type`.
    package var member: String?

    package init(_ message: String, member: String? = nil) {
        self.message = message
        self.member = member
    }
}
