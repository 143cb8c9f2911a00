/// Content type of speech, rebuilt from known values so that no text of the upstream's header is forwarded.
enum SpeechType {
    private static let known: Set<String> = [
        "audio/aac", "audio/basic", "audio/flac", "audio/l16", "audio/mp3", "audio/mp4", "audio/mpeg", "audio/ogg",
        "audio/opus", "audio/pcm", "audio/wav", "audio/wave", "audio/webm", "audio/x-wav", "video/mp4", "video/webm",
    ]
    private static let unknown = "application/octet-stream"

    /// - Returns: a known type with its rate and channels, `application/octet-stream` for other audio; nil for
    ///   anything else.
    static func passed(_ type: String) -> String? {
        let parts = type.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(trimmed)
        guard let bare = parts.first else { return nil }
        if known.contains(bare) {
            return ([bare] + parts.dropFirst().filter(isParameter)).joined(separator: "; ")
        }
        let isSound = bare == unknown || bare.hasPrefix("audio/") || bare.hasPrefix("video/")
        return isSound ? unknown : nil
    }

    /// Returns whether the text is a parameter of raw audio.
    private static func isParameter(_ text: String) -> Bool {
        ["rate=", "channels="].contains { name in
            text.hasPrefix(name) && (1...6).contains(text.utf8.count - name.utf8.count)
                && text.utf8.dropFirst(name.utf8.count).allSatisfy { $0 &- 0x30 < 10 }
        }
    }

    /// Trims the text, and converts it to ASCII lower case.
    private static func trimmed(_ part: Substring.UTF8View) -> String {
        let inner = part.drop { $0 == 0x20 }
        let end = inner.lastIndex { $0 != 0x20 }.map(inner.index(after:)) ?? inner.startIndex
        return String(decoding: inner[..<end].map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}

/// Content type of a transcription that is not JSON.
enum TextType {
    private static let known: Set<String> = [
        "text/plain", "text/vtt", "text/srt", "application/x-subrip", "application/srt",
    ]

    /// - Returns: a known type, with the charset UTF-8 if the upstream states it; nil for anything else.
    static func passed(_ type: String) -> String? {
        let parts = type.lowercased().split(separator: ";").map { $0.filter { $0 != " " } }
        guard let bare = parts.first, known.contains(bare) else { return nil }
        return parts.dropFirst().contains { $0 == "charset=utf-8" } ? "\(bare); charset=utf-8" : bare
    }
}
