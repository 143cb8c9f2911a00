/// Joins the system messages of a chat request that is otherwise forwarded unchanged, for an upstream that accepts only
/// one.
package enum SystemMessageJoining {
    /// Joins all system and developer messages into one at the start.
    ///
    /// - Parameter body: The request, as JSON.
    /// - Returns: The changed request; nil unless it has several such messages.
    package static func joined(_ body: [UInt8]) -> [UInt8]? {
        guard var request = (try? JSONValue(body))?.object, let messages = request["messages"]?.array else {
            return nil
        }
        let instructions = messages.filter(isInstruction)
        guard instructions.count > 1 else { return nil }
        request["messages"] = .array(message(of: instructions) + messages.filter { !isInstruction($0) })
        return JSONValue.object(request).bytes
    }

    private static func isInstruction(_ message: JSONValue) -> Bool {
        message["role"] == "system" || message["role"] == "developer"
    }

    /// Returns one message with the other members of the first; empty if all messages are empty.
    private static func message(of instructions: [JSONValue]) -> [JSONValue] {
        let parts = instructions.flatMap { message -> [JSONValue] in
            guard let text = message["content"]?.string else { return message["content"]?.array ?? [] }
            return [["type": "text", "text": .string(text)]]
        }
        let written = parts.filter { $0["text"]?.string?.isBlank != true }
        guard !written.isEmpty, var message = instructions[0].object else { return [] }
        if instructions.contains(where: { $0["role"] == "system" }) { message["role"] = "system" }
        // Parts that have more than text stay parts.
        let texts = written.compactMap { part in
            part["type"] == "text" && part.object?.members.count == 2 ? part["text"]?.string : nil
        }
        message["content"] =
            texts.count == written.count
            ? .string(texts.joined(separator: ResponsesItem.paragraph)) : .array(written)
        return [.object(message)]
    }
}
