/// Purpose of models, inferred from their names.
enum ModelUse {
    /// Moves models that are not for chat to the end and otherwise preserves the order. Clients without a choice of
    /// their own use the first.
    static func talkersFirst(_ models: [ListedModel]) -> [ListedModel] {
        var (talkers, others): ([ListedModel], [ListedModel]) = ([], [])
        for model in models {
            if isOther(model.name) { others.append(model) } else { talkers.append(model) }
        }
        return talkers + others
    }

    private static let otherUses: [[UInt8]] = [
        "embed", "whisper", "tts", "transcribe", "dall-e", "image", "moderation", "audio", "realtime", "sora", "rerank",
        "babbage", "davinci",
    ].map { Array($0.utf8) }
    private static let instruct = Array("instruct".utf8)

    private static func isOther(_ name: String) -> Bool {
        let lower = name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return lower.withUnsafeBytes { lower in
            // OpenAI's instruct models are for completions; other vendors' instruct models are for chat.
            if lower.starts(with: "gpt-".utf8), contains(instruct, in: lower) { return true }
            return otherUses.contains { contains($0, in: lower) }
        }
    }

    private static func contains(_ word: [UInt8], in text: UnsafeRawBufferPointer) -> Bool {
        guard text.count >= word.count else { return false }
        return (0...text.count - word.count).contains { start in
            text[start] == word[0] && text[start...].starts(with: word)
        }
    }
}
