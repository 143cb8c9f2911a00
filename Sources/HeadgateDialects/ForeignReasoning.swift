/// Reasoning in a history in the upstream's own format that another provider produced: earlier requests were
/// translated, or the client has changed its model. A provider accepts back only its own reasoning.
package enum ForeignReasoning {
    /// Removes foreign reasoning from a request that is otherwise forwarded unchanged, and opens compactions that the
    /// gateway made.
    ///
    /// - Parameter body: The request, as JSON.
    /// - Returns: The changed body, and the member that held reasoning; nil if nothing changes. An unaffected request
    ///   is usually recognized without parsing it.
    package static func removed(from body: [UInt8], in format: WireFormat) -> (body: [UInt8], member: String?)? {
        guard body.withUnsafeBytes({ marks.isFound(in: $0) || idMarks.isFound(in: $0) }),
            var request = (try? JSONValue(body))?.object
        else { return nil }
        let isOpened =
            switch format {
            case .chat: false
            case .messages: openMessages(&request)
            case .responses: change(each: "input", of: &request, opened)
            }
        let hasChanged =
            switch format {
            case .chat: change(each: "messages", of: &request, withoutBlocks)
            case .messages: change(each: "messages", of: &request, withoutThinking)
            case .responses: change(each: "input", of: &request, withoutSealed)
            }
        guard hasChanged || isOpened else { return nil }
        return (
            JSONValue.object(request).bytes,
            hasChanged ? Feature.reasoningHistory.name(in: ClientFormat(format)) : nil
        )
    }

    private static func opened(_ item: JSONValue) -> JSONValue? {
        guard item["type"] == "compaction" || item["type"] == "compaction_summary",
            let summary = Compaction.text(sealedIn: item["encrypted_content"])
        else { return item }
        return ["type": "message", "role": "user", "content": [["type": "input_text", "text": .string(summary)]]]
    }

    /// Replaces all turns up to the last compaction with its summary.
    private static func openMessages(_ request: inout JSONObject) -> Bool {
        guard let turns = request["messages"]?.array else { return false }
        for (index, turn) in turns.enumerated().reversed() {
            guard var object = turn.object, object["role"] == "assistant", let blocks = object["content"]?.array
            else { continue }
            for (place, block) in blocks.enumerated().reversed() where block["type"] == "compaction" {
                guard
                    let summary = Compaction.text(sealedIn: block["encrypted_content"], content: block["content"])
                else { return false }
                var text: JSONObject = ["type": "text", "text": .string(summary)]
                text["cache_control"] = block["cache_control"]
                var left: [JSONValue] = [["role": "user", "content": [.object(text)]]]
                let rest = Array(blocks[(place + 1)...])
                object["content"] = .array(rest)
                if !rest.isEmpty { left.append(.object(object)) }
                request["messages"] = .array(left + turns[(index + 1)...])
                return true
            }
        }
        return false
    }

    private static let marks = ByteSearch(ReasoningSeal.mark)
    private static let idMarks = ByteSearch(SealedCallID.mark)

    /// Changes the elements of an array member.
    ///
    /// - Parameter change: Returns the new element; nil removes it.
    /// - Returns: Whether any element changed.
    private static func change(
        each name: String, of request: inout JSONObject, _ change: (JSONValue) -> JSONValue?
    ) -> Bool {
        guard let elements = request[name]?.array else { return false }
        let changed = elements.compactMap(change)
        guard changed != elements else { return false }
        request[name] = .array(changed)
        return true
    }

    private static func withoutBlocks(_ message: JSONValue) -> JSONValue? {
        guard var object = message.object, let blocks = object["thinking_blocks"]?.array else { return message }
        let own = blocks.filter { !isForeign($0, in: .chat) }
        object["thinking_blocks"] = own.isEmpty ? nil : .array(own)
        return .object(object)
    }

    /// Removes foreign thinking from a turn; returns nil if the turn is then empty.
    private static func withoutThinking(_ message: JSONValue) -> JSONValue? {
        guard var object = message.object, let blocks = object["content"]?.array else { return message }
        let own = blocks.filter { !isForeign($0, in: .messages) }.map { withPlainID($0, ["id", "tool_use_id"]) }
        guard !own.isEmpty || blocks.isEmpty else { return nil }
        object["content"] = .array(own)
        return .object(object)
    }

    private static func withoutSealed(_ item: JSONValue) -> JSONValue? {
        guard item["type"] == "reasoning", let seal = item["encrypted_content"]?.string,
            isForeign(seal, in: .responses)
        else { return withPlainID(item, ["call_id"]) }
        return nil
    }

    /// Restores the ids of calls that carry data of another provider.
    private static func withPlainID(_ value: JSONValue, _ members: [String]) -> JSONValue {
        guard var object = value.object else { return value }
        for member in members {
            guard let id = object[member]?.string, let opened = SealedCallID.open(id) else { continue }
            var names = RestrictedNames(substitute: "call", maximumLength: 64)
            object[member] = .string(names.next(for: opened.id))
        }
        return .object(object)
    }

    private static func isForeign(_ block: JSONValue, in format: WireFormat) -> Bool {
        switch block["type"]?.string {
        case "thinking"?: block["signature"]?.string.map { isForeign($0, in: format) } ?? false
        case "redacted_thinking"?: block["data"]?.string.map { isForeign($0, in: format) } ?? false
        default: false
        }
    }

    private static func isForeign(_ seal: String, in format: WireFormat) -> Bool {
        ReasoningSeal(written: seal, by: format).format != format
    }
}
