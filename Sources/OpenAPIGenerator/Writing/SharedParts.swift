/// Part of a message whose type several places of a document can share.
protocol MessagePart {
    /// Key that parts have in common if their types are equal, including the order of their members.
    var key: String { get }
    /// Name of a shared type. Its last word distinguishes it from all other generated types.
    var sharedName: String { get }
}

/// Parts that occur in several places. Each is written once, in a namespace without names from the document.
struct SharedParts<Part: MessagePart> {
    /// Shared parts with their names, in the order of the document.
    private(set) var all: [(name: String, part: Part)] = []
    private var names: [String: String] = [:]

    /// - Parameter places: Parts of all places. The comments of the first equal part apply to all of them.
    init(_ places: [Part]) {
        let counts = Dictionary(places.map { ($0.key, 1) }, uniquingKeysWith: +)
        for part in places where counts[part.key, default: 0] > 1 && names[part.key] == nil {
            let name = unusedName(for: part)
            names[part.key] = name
            all.append((name, part))
        }
    }

    /// Returns the type of a shared part with its namespace; nil for a part that is not shared.
    func type(of part: Part) -> String? { names[part.key].map { "\(SharedTypes.namespace).\($0)" } }

    /// Returns a name for a shared part, with a number if the name is taken.
    private func unusedName(for part: Part) -> String {
        var name = part.sharedName
        var number = 1
        while all.contains(where: { $0.name == name }) {
            number += 1
            name = "\(part.sharedName)\(number)"
        }
        return name
    }
}

/// All types of a document that several places share.
struct SharedTypes {
    static let namespace = "Components.Shared"

    let acceptable: SharedParts<AcceptableContent>
    let headers: SharedParts<HeaderSet>
    let requestBodies: SharedParts<RequestContent>
    let responseBodies: SharedParts<ResponseContent>
    let responses: SharedParts<ResponseShape>

    init(of contract: Contract, plan: BodyPlan, types: TypeWriter) {
        var operations = contract.operations
        var shapes = contract.allResponses.map { ResponseShape($0, plan: plan, types: types) }
        // If the document uses this name, it hides the namespace.
        let names = operations.map(\.type) + Array(contract.responseTypes.values)
        if names.contains("Components") { (operations, shapes) = ([], []) }
        let acceptable = SharedParts(operations.compactMap { AcceptableContent(of: $0, types: types) })
        self.acceptable = acceptable
        headers = SharedParts(
            shapes.compactMap(\.headers) + operations.compactMap { SharedTypes.headers(of: $0, acceptable, types) })
        requestBodies = SharedParts(
            operations.compactMap(\.body).map { RequestContent($0, plan: plan, types: types) })
        responseBodies = SharedParts(shapes.compactMap(\.body))
        responses = SharedParts(shapes)
    }

    /// Returns the headers of an operation's request; nil if there are none.
    func headers(of operation: Operation, _ types: TypeWriter) -> HeaderSet? {
        SharedTypes.headers(of: operation, acceptable, types)
    }

    private static func headers(
        of operation: Operation, _ acceptable: SharedParts<AcceptableContent>, _ types: TypeWriter
    ) -> HeaderSet? {
        let accepted = AcceptableContent(of: operation, types: types).map { content in
            (content, type: acceptable.type(of: content) ?? "Operations.\(operation.type).AcceptableContentType")
        }
        return HeaderSet(operation.parameters(in: .header), accepting: accepted, types: types)
    }

    /// Joins up to three words. If there are more, joins the first two and the number of the others.
    static func name(_ words: [String]) -> String {
        (words.count > 3 ? words.prefix(2) + ["And\(words.count - 2)More"] : words[...]).joined()
    }
}

extension SourceText {
    /// Returns the written text without its comments, to determine whether two declarations are equal.
    static func signature(_ style: CodeStyle, _ write: (inout SourceText) -> Void) -> String {
        var text = SourceText(style)
        write(&text)
        return text.text.split(separator: "\n").filter { line in !line.drop { $0 == " " }.hasPrefix("///") }
            .joined(separator: "\n")
    }
}
