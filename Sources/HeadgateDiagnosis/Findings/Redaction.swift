/// Takes secrets out of text.
enum Redaction {
    /// - Parameter secrets: an empty one stands for none.
    static func text(_ text: String, without secrets: Set<String>) -> String {
        // The longest first: one may be the beginning of another.
        let wanted = secrets.filter { !$0.isEmpty }.map { Array($0.utf8) }.sorted { $0.count > $1.count }
        guard !wanted.isEmpty else { return text }
        // Octets and not characters: an accent that follows a secret would make its last character another one.
        let bytes = Array(text.utf8)
        var output: [UInt8] = []
        var offset = 0
        while offset < bytes.count {
            if let secret = wanted.first(where: { bytes[offset...].starts(with: $0) }) {
                output += "<redacted>".utf8
                offset += secret.count
            } else {
                output.append(bytes[offset])
                offset += 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
