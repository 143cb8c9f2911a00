/// Data by which a provider recognises its own reasoning: Anthropic's signature, OpenAI's encrypted content, and the
/// members that other providers require back.
///
/// A client of another format stores it as if it came from its own provider, with a mark of its origin. So it returns
/// only to the provider that made it.
package struct ReasoningSeal: Equatable, Sendable {
    package enum Kind: String, Sendable {
        /// The provider takes the text back with its signature.
        case signed = ""
        /// The seal represents all of the reasoning, whose text is hidden (`redacted_thinking`).
        case redacted
        /// Thinking of Messages without a signature.
        case unsigned
        /// Text of a chat message, in the member of that name.
        case content = "reasoning_content"
        case plain = "reasoning"
        /// `reasoning_details` of a chat message, after the name of the member that has the text, if any.
        case details = "reasoning_details"
        /// The id of a call in chat, and the members that the provider put on it.
        case call

        /// Whether a seal says which upstream it is of: only that one takes it back.
        var isBound: Bool { self != .signed && self != .redacted }
    }

    package var format: WireFormat
    package var kind: Kind
    /// Upstream of the seal, for kinds that are bound to one.
    package var provider = ""
    package var text: String

    /// Whether the seal has no text.
    package var isRedacted: Bool { kind == .redacted || kind == .call }

    package init(_ format: WireFormat, _ text: String, isRedacted: Bool = false) {
        self.init(format, isRedacted ? .redacted : .signed, text)
    }

    init(_ format: WireFormat, _ kind: Kind, _ text: String) {
        self.format = format
        self.kind = kind
        self.text = text
    }

    /// Prefix of marked seals.
    static let mark = "\(maker):"
    private static let maker = "headgate"

    /// Seal for clients of another format if the reasoning has none: no provider accepts it back.
    static let missing = "headgate:chat::"

    /// Reads the seal in a response of a provider, or of another gateway in its place; nil if there is none.
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
        self.init(maker, Kind(rawValue: String(parts[2])) ?? .signed, String(parts[3]))
        guard kind.isBound else { return }
        let bound = parts[3].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        provider = String(bound[0])
        text = bound.count == 2 ? String(bound[1]) : ""
    }

    /// The seal as a client of that format is given it.
    package func written(for client: WireFormat) -> String {
        if kind.isBound { return "\(ReasoningSeal.mark)\(format.rawValue):\(kind.rawValue):\(provider):\(text)" }
        return client == format ? text : "\(ReasoningSeal.mark)\(format.rawValue):\(kind.rawValue):\(text)"
    }

    /// Whether the upstream of a request made it.
    func isOf(_ target: TargetTraits, _ format: WireFormat) -> Bool {
        self.format == format && (!kind.isBound || provider == target.provider)
    }
}
