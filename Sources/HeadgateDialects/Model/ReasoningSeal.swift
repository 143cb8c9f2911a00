/// What a provider put on its reasoning to know it again: Anthropic's signature, OpenAI's encrypted content.
///
/// A client of another format keeps it as if it were its own provider's, with a mark that says whose it is: so it comes
/// back to the provider that made it, and to no other.
package struct ReasoningSeal: Equatable, Sendable {
    package var format: WireFormat
    package var text: String
    /// Whether the seal stands for all of the reasoning, whose text is hidden (`redacted_thinking`).
    package var isRedacted: Bool

    package init(_ format: WireFormat, _ text: String, isRedacted: Bool = false) {
        self.format = format
        self.text = text
        self.isRedacted = isRedacted
    }

    /// What marked seals begin with.
    static let mark = "\(maker):"
    private static let maker = "headgate"

    /// What a client of another format is given for reasoning without a seal: no provider takes it back.
    static let missing = "headgate:chat::"

    /// Reads the seal in a provider's response; nil where there is none. Another gateway may stand in its place.
    init?(given seal: String?, by provider: WireFormat) {
        guard let seal, !seal.isEmpty, seal != ReasoningSeal.missing else { return nil }
        self.init(provider, seal)
    }

    /// Reads the seal in a client's history.
    ///
    /// - Parameters:
    ///   - written: with the mark of its maker, or without one if the client's own format made it.
    ///   - client: the client's format.
    package init(written: String, by client: WireFormat, isRedacted: Bool = false) {
        let parts = written.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == ReasoningSeal.maker, let maker = WireFormat(rawValue: String(parts[1]))
        else {
            self.init(client, written, isRedacted: isRedacted)
            return
        }
        self.init(maker, String(parts[3]), isRedacted: parts[2] == "redacted")
    }

    /// The seal as a client of that format is given it.
    package func written(for client: WireFormat) -> String {
        client == format ? text : "\(ReasoningSeal.maker):\(format.rawValue):\(isRedacted ? "redacted" : ""):\(text)"
    }
}
