@testable import HeadgateDialects

/// What becomes of a member in a translation.
enum MemberOutcome: Equatable {
    /// It stands in the upstream's request under the same name, with the same value.
    case carried
    /// It makes a difference to the upstream's request, or to the response that is written for it.
    case mapped
    /// It is told as dropped, by these names.
    case dropped([String])
    /// The request is refused, with this member as the one at fault.
    case refused(String)
    /// Nothing comes of it, and nobody is told.
    case silent

    /// - Parameter target: what stands for the upstream.
    init(of member: RequestMember, from client: ClientFormat, for target: TranslationTarget) throws {
        var base = member.base
        if let unlike = member.unlike { base = member.path.set(unlike, in: base) }
        let without = try target.translate(base, from: client)
        let with: TranslatedRequest
        do {
            with = try target.translate(member.path.set(member.value, in: member.base), from: client)
        } catch let error as TranslationError {
            self = error.member.map(MemberOutcome.refused) ?? .silent
            return
        }
        if !with.dropped.isEmpty {
            self = .dropped(with.dropped)
        } else if with.body != without.body {
            let values = try JSONValue(with.body).values(of: member.path.name)
            self = values.contains(member.value) ? .carried : .mapped
        } else {
            self = with.context.asksUsage != without.context.asksUsage ? .mapped : .silent
        }
    }
}

/// An upstream of the table.
struct TranslationTarget {
    let format: WireFormat
    let title: String
    var traits = TargetTraits()

    /// The upstreams that requests of a client's format are translated for.
    static func all(for client: ClientFormat) -> [TranslationTarget] {
        var openAI = TranslationTarget(format: .chat, title: "to chat completions of OpenAI")
        openAI.traits.isOpenAIsOwn = true
        return [
            openAI, TranslationTarget(format: .chat, title: "to chat completions of others"),
            TranslationTarget(format: .messages, title: "to Messages"),
            TranslationTarget(format: .responses, title: "to Responses"),
        ].filter { $0.format != client.wire }
    }

    func translate(_ request: JSONValue, from client: ClientFormat) throws -> TranslatedRequest {
        try RequestTranslation.translate(request.bytes, from: client, to: format, for: traits)
    }
}

extension JSONValue {
    /// All values that stand at a path, with `[]` for each element of an array.
    fileprivate func values(of path: String) -> [JSONValue] {
        var values = [self]
        for word in path.split(separator: ".") {
            let parts = word.split(separator: "[")
            values = values.compactMap { $0[String(parts[0])] }
            for _ in parts.dropFirst() { values = values.flatMap { $0.array ?? [] } }
        }
        return values
    }
}
