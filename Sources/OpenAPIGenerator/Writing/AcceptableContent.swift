/// Media types of an operation's responses, which become an enumeration for `Accept`.
struct AcceptableContent: MessagePart {
    private let mediaTypes: [String]
    private let names: [String]
    private(set) var key = ""

    /// - Returns: Nil if no response of the operation has content.
    init?(of operation: Operation, types: TypeWriter) {
        guard !operation.responseTypes.isEmpty else { return nil }
        mediaTypes = operation.responseTypes
        let names = types.style.names.contents(mediaTypes)
        self.names = names.map { $0 == "other" ? "_other" : $0 }
        key = mediaTypes.joined(separator: ", ")
    }

    var words: [String] { names.map { SwiftNames.capitalized($0.replacing("`", with: "")) } }
    var sharedName: String { SharedTypes.name(words) + "AcceptableContentType" }

    func declare(as name: String, in text: inout SourceText) {
        let member = text.style.member
        text.block("\(text.style.type)enum \(name): AcceptableProtocol") { text in
            for name in names { text.line("case \(name)") }
            text.line("case other(String)")
            text.gap()
            text.block("\(member)init(rawValue: String)") { text in
                text.line("switch rawValue.lowercased() {")
                for (name, type) in zip(names, mediaTypes) {
                    text.line("case \(SourceLiteral.quoted(type)): self = .\(name)")
                }
                text.line("default: self = .other(rawValue)")
                text.line("}")
            }
            text.gap()
            text.block("\(member)var rawValue: String") { text in
                text.line("switch self {")
                for (name, type) in zip(names, mediaTypes) {
                    text.line("case .\(name): \(SourceLiteral.quoted(type))")
                }
                text.line("case .other(let text): text")
                text.line("}")
            }
            text.gap()
            text.block("\(member)static var allCases: [Self]") { text in
                text.list("", names.map { ".\($0)" })
            }
        }
        text.gap()
    }
}
