/// Content type of a transcription that is not JSON.
enum TextType {
    private static let known: Set<String> = [
        "text/plain", "text/vtt", "text/srt", "application/x-subrip", "application/srt",
    ]

    /// - Returns: a known type, in UTF-8 if the upstream says so; nil for anything else.
    static func passed(_ type: String) -> String? {
        let parts = type.lowercased().split(separator: ";").map { $0.filter { $0 != " " } }
        guard let bare = parts.first, known.contains(bare) else { return nil }
        return parts.dropFirst().contains { $0 == "charset=utf-8" } ? "\(bare); charset=utf-8" : bare
    }
}
