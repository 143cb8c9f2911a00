/// Hides keys in lines of settings that are printed.
package enum SecretMask {
    private static let mask = "***"

    /// The line with the key, values of members named after keys, and texts that look like a provider's key hidden.
    ///
    /// - Parameter key: the gateway's, if it is known.
    package static func masked(_ line: String, key: String? = nil) -> String {
        var line = line
        if let key, !key.isEmpty { line = line.replacing(key, with: mask) }
        line = line.replacing(named) { "\($0.output.1)\(mask)" }
        return line.replacing(known, with: mask)
    }

    /// References such as `${NAME}` and `{file:PATH}` are not secrets.
    private nonisolated(unsafe) static let named =
        #/(?i)((?:key|token|secret|password)["']?\s*[:=]\s*["']?)[^"'\s${*][^"'\s]{15,}/#
    private nonisolated(unsafe) static let known = #/\b(?:sk-|gsk_|hf_|xai-|AIza|hg-)[\w-]{12,}/#
}
