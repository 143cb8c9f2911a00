@testable import HeadgateDialects

/// Outcome of a member in a translation.
enum MemberOutcome: Equatable {
    /// The upstream's request has the member under the same name, with the same value.
    case carried
    /// The member changes the upstream's request, or the response to the client.
    case mapped
    /// The member is reported as dropped, by these names.
    case dropped([String])
    /// The request is refused because of this member.
    case refused(String)
    /// The member is ignored without a report.
    case silent

    /// - Parameter target: upstream for which the request is translated.
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

    /// Returns the upstreams for which requests of a client's format are translated.
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
    /// Returns all values at a path, with `[]` for each element of an array.
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
