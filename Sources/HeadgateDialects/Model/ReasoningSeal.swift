/// Data by which a provider recognizes its own reasoning: Anthropic's signature, OpenAI's encrypted content, and the
/// members that other providers require back.
///
/// A client of another format stores the seal as if it came from its own provider. A mark of the seal's origin ensures
/// that it returns only to the provider that made it.
package struct ReasoningSeal: Equatable, Sendable {
    package enum Kind: String, Sendable {
        /// Signature, with which the provider accepts the text back.
        case signed = ""
        /// All of the reasoning, whose text is hidden (`redacted_thinking`).
        case redacted
        /// Thinking in Anthropic's Messages without a signature.
        case unsigned
        /// Text of a chat message in the member `reasoning_content`.
        case content = "reasoning_content"
        case plain = "reasoning"
        /// `reasoning_details` of a chat message, after the name of the member that has the text, if any.
        case details = "reasoning_details"
        /// Id of a chat call, and the members that the provider added to it.
        case call

        /// Whether a seal names its upstream, which is the only one that accepts it back.
        var isBound: Bool { self != .signed && self != .redacted }
    }

    package var format: WireFormat
    package var kind: Kind
    /// Upstream that made the seal, for kinds that name it.
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

    /// Seal for clients of another format if the reasoning has none. No provider accepts it back.
    static let missing = "headgate:chat::"

    /// Reads the seal in a response of a provider, or of another gateway that represents it; nil if there is none.
    init?(given seal: String?, by provider: WireFormat) {
        guard let seal, !seal.isEmpty, seal != ReasoningSeal.missing else { return nil }
        self.init(provider, seal)
    }

    /// Reads the seal in a client's history.
    ///
    /// - Parameters:
    ///   - written: The seal with the mark of its maker, or without a mark if the client's own format made it.
    ///   - client: Format of the client.
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

    /// Returns the seal as clients of a format receive it.
    package func written(for client: WireFormat) -> String {
        if kind.isBound { return "\(ReasoningSeal.mark)\(format.rawValue):\(kind.rawValue):\(provider):\(text)" }
        return client == format ? text : "\(ReasoningSeal.mark)\(format.rawValue):\(kind.rawValue):\(text)"
    }

    /// Returns whether the upstream of a request made the seal.
    func isOf(_ target: TargetTraits, _ format: WireFormat) -> Bool {
        self.format == format && (!kind.isBound || provider == target.provider)
    }
}
