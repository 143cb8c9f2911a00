/// Moves data that a provider wants back to places where clients of other formats store it, and marks it with the
/// upstream.
struct ResponseSealing {
    let provider: String

    /// Ids of calls that have begun, by index.
    private var ids: [Int: String] = [:]
    private var members: [Int: JSONObject] = [:]
    /// Calls whose members arrived, or arrived again, after their ids were written.
    private var late: [Int] = []
    /// Bytes of all members so far.
    private var held = 0

    private static let mostHeld = 1 << 20

    init(provider: String) { self.provider = provider }

    /// Returns whether this event or an earlier one has data to seal, which most streams do not have.
    func isNeeded(for events: [ResponseEvent]) -> Bool {
        if !members.isEmpty { return true }
        return events.contains { event in
            switch event {
            case .reasoningSeal, .toolMembers, .toolCall: true
            default: false
            }
        }
    }

    mutating func sealed(_ events: [ResponseEvent]) -> [ResponseEvent] {
        var sealed: [ResponseEvent] = []
        for event in events {
            switch event {
            case .reasoningSeal(let seal): sealed.append(.reasoningSeal(named(seal)))
            case .toolMembers(let index, let more): add(more, to: index)
            case .toolCall(let index, let id, let name, let isCustom):
                let (written, seal) = SealedCallID.seal(id, members[index] ?? JSONObject(), by: provider)
                // A block between calls would end the calls that are still open.
                if let seal, ids.isEmpty {
                    sealed.append(.reasoningSeal(seal))
                } else if seal != nil {
                    late.append(index)
                }
                ids[index] = id
                sealed.append(.toolCall(index: index, id: written, name: name, isCustom: isCustom))
            case .finished:
                for index in late {
                    guard let id = ids[index], let all = members[index] else { continue }
                    if let seal = SealedCallID.seal(of: id, all, by: provider) { sealed.append(.reasoningSeal(seal)) }
                }
                sealed.append(event)
            default: sealed.append(event)
            }
        }
        return sealed
    }

    private mutating func add(_ more: JSONObject, to index: Int) {
        held += JSONValue.object(more).text.utf8.count
        guard members.count <= ToolCall.most, held <= ResponseSealing.mostHeld else { return }
        let before = members[index] ?? JSONObject()
        var all = before
        for member in more.members { all[member.name] = member.value }
        members[index] = all
        if all != before, ids[index] != nil, !late.contains(index) { late.append(index) }
    }

    private func named(_ seal: ReasoningSeal) -> ReasoningSeal {
        var seal = seal
        if seal.kind.isBound { seal.provider = provider }
        return seal
    }
}

extension ModelResponse {
    /// Returns the whole response with its provider's data in ids and seals.
    func sealed(by provider: String) -> ModelResponse {
        var response = self
        response.contents = contents.flatMap { content -> [Content] in
            switch content {
            case .toolCall(var call):
                let (id, seal) = SealedCallID.seal(call.id, call.members, by: provider)
                call.id = id
                return (seal.map { [.reasoning(Reasoning("", seal: $0))] } ?? []) + [.toolCall(call)]
            case .reasoning(var reasoning):
                if reasoning.seal?.kind.isBound == true { reasoning.seal?.provider = provider }
                return [.reasoning(reasoning)]
            default: return [content]
            }
        }
        return response
    }
}
