/// Returns whether a text looks like a key in a wrong place, which must not be repeated. This is a guess, so only
/// messages may depend on it.
package func looksLikeSecret(_ text: String) -> Bool {
    secretBeginnings.contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count + 3 } || hasRandomRun(text.utf8)
}

/// Beginnings of keys and tokens of well-known providers.
private let secretBeginnings = [
    "sk-", "sk_", "pk-", "hg-", "gsk_", "xai-", "AIza", "hf_", "ghp_", "github_pat_", "nvapi-", "pplx-", "r8_", "fw_",
    "tgp_",
    "AKIA", "eyJ", "Bearer ", "Basic ",
]

/// Returns whether a text has a run of letters and digits that is too long or too mixed for a word, a number or a date.
private func hasRandomRun(_ text: String.UTF8View) -> Bool {
    var length = 0
    /// Number of changes between letters and digits in the run.
    var changes = 0
    var wasDigit = false
    for byte in text {
        let isDigit = ASCII.isDigit(byte)
        guard isDigit || ASCII.isLetter(byte) else {
            length = 0
            changes = 0
            continue
        }
        if length > 0, isDigit != wasDigit { changes += 1 }
        wasDigit = isDigit
        length += 1
        if length >= 24 || (length >= 12 && changes >= 3) { return true }
    }
    return false
}
