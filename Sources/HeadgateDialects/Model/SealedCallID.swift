internal import HeadgatePrimitives

/// Id of a call together with the members that its provider added and wants back, such as Gemini's
/// `extra_content.google.thought_signature`.
///
/// All clients send ids back, even those that leave out reasoning. Longer members get their own ``ReasoningSeal``.
enum SealedCallID {
    static let mark = "__hg_"
    /// Maximum bytes of the text after the mark.
    private static let longest = 2048
    /// Maximum bytes of stored members.
    private static let mostBytes = 64 << 10

    /// - Returns: The id, restricted to letters, digits, `_` and `-` if there are members, and a seal for members that
    ///   are too long for it.
    static func seal(_ id: String, _ members: JSONObject, by provider: String) -> (id: String, seal: ReasoningSeal?) {
        guard !members.members.isEmpty else { return (id, nil) }
        var names = RestrictedNames(substitute: "call", maximumLength: 64)
        let plain = names.next(for: id)
        let content: [JSONValue] = [.object(members)] + (plain == id ? [] : [.string(id)])
        let text = Base64.encodeForURL(JSONValue.array(content).bytes)
        if text.utf8.count <= longest { return ("\(plain)\(mark)\(provider)_\(text)", nil) }
        return (id, seal(of: id, members, by: provider))
    }

    /// Returns a seal for members that arrived after the id was written.
    static func seal(of id: String, _ members: JSONObject, by provider: String) -> ReasoningSeal? {
        let text = JSONValue.array([.string(id), .object(members)]).text
        guard text.utf8.count <= mostBytes else { return nil }
        var seal = ReasoningSeal(.chat, .call, text)
        seal.provider = provider
        return seal
    }

    /// - Returns: Nil if the id has no members.
    static func open(_ id: String) -> (id: String, provider: String, members: JSONObject)? {
        guard let start = markStart(id) else { return nil }
        let rest = id[start...].dropFirst(mark.count)
        guard let end = rest.firstIndex(of: "_"),
            let octets = Base64.decodeLeniently(String(rest[rest.index(after: end)...])),
            let json = String(validating: octets, as: UTF8.self),
            let content = (try? JSONValue(Array(json.utf8)))?.array, let members = content.first?.object
        else { return nil }
        let original = content.count > 1 ? content[1].string : nil
        return (original ?? String(id[..<start]), String(rest[..<end]), members)
    }

    private static func markStart(_ id: String) -> String.Index? {
        let bytes = Array(id.utf8)
        let mark = Array(mark.utf8)
        guard bytes.count > mark.count, bytes.count <= longest + 128 else { return nil }
        let start = (0...bytes.count - mark.count).last { bytes[$0..<$0 + mark.count].elementsEqual(mark) }
        return start.map { id.utf8.index(id.startIndex, offsetBy: $0) }
    }
}

extension ModelRequest {
    /// Extracts the members of calls from ids and seals, and adds them to the calls if the upstream made them.
    mutating func openCallIDs(for upstream: WireFormat, _ target: TargetTraits, _ losses: inout Losses) {
        for message in messages.indices {
            var sealed: [String: JSONObject] = [:]
            messages[message].parts.removeAll { part in
                guard case .reasoning(let reasoning) = part.content, let seal = reasoning.seal, seal.kind == .call
                else {
                    return false
                }
                guard let content = (try? JSONValue(Array(seal.text.utf8)))?.array, content.count == 2,
                    let id = content[0].string, let members = content[1].object, seal.isOf(target, upstream)
                else {
                    losses.drop(.reasoningHistory)
                    return true
                }
                sealed[id] = members
                return true
            }
            for part in messages[message].parts.indices {
                switch messages[message].parts[part].content {
                case .toolCall(var call):
                    if let opened = SealedCallID.open(call.id) {
                        call.id = opened.id
                        if upstream == .chat, opened.provider == target.provider {
                            call.members = opened.members
                        } else {
                            losses.drop(.reasoningHistory)
                        }
                    }
                    for member in sealed[call.id]?.members ?? [] { call.members[member.name] = member.value }
                    messages[message].parts[part].content = .toolCall(call)
                case .toolResult(var result):
                    result.callID = SealedCallID.open(result.callID)?.id ?? result.callID
                    messages[message].parts[part].content = .toolResult(result)
                default: break
                }
            }
        }
    }
}
