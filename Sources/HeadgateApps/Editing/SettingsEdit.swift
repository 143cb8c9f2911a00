/// The entries for one settings file of an app, in the file's format.
package enum SettingsEdit: Sendable {
    case json(JSONSettings)
    case toml(TOMLSettings)
    case yaml(YAMLSettings)

    /// Returns the file with the entries; the same text if it has them.
    ///
    /// - Parameters:
    ///   - text: The text of the file; empty for a new file.
    ///   - app: The name of the app, with which the user undoes the edit.
    package func applying(to text: String, app: String) throws(EditRefusal) -> String {
        switch self {
        case .json(let settings): try settings.applying(to: text)
        case .toml(let settings): try settings.applying(to: text, app: app)
        case .yaml(let settings): try settings.applying(to: text, app: app)
        }
    }

    /// Returns the file without the entries.
    ///
    /// If nothing else of the file has changed, the result is the original, byte for byte.
    ///
    /// - Parameter original: The file before the entries were added; nil if there was none, or if it is not known.
    package func removing(from text: String, original: String?, app: String) throws(EditRefusal) -> String {
        let rest = try entriesRemoved(from: text, original: original)
        guard let original else { return rest }
        let restored = try entriesRemoved(from: applying(to: original, app: app), original: original)
        return rest == restored ? original : rest
    }

    private func entriesRemoved(from text: String, original: String?) throws(EditRefusal) -> String {
        switch self {
        case .json(let settings): try settings.removing(from: text, original: original)
        case .toml, .yaml: try MarkedLines(text).original.joined()
        }
    }

    /// Returns whether the text has entries of this command. Damaged text counts as having none.
    package func isPresent(in text: String) -> Bool {
        switch self {
        case .json(let settings): settings.isPresent(in: text)
        case .toml, .yaml: (try? MarkedLines(text).isPresent) ?? false
        }
    }

    /// Returns whether the text is all that remains of a file that this command created, without its entries.
    package func isBlank(_ text: String) -> Bool {
        switch self {
        case .json: return ["", "{}", "[]"].contains(TextLines.trimmed(text))
        case .toml: return TextLines.trimmed(text).isEmpty
        case .yaml(let settings):
            let lines = TextLines.split(text).map(TextLines.trimmed).filter { !$0.isEmpty }
            return lines.isEmpty || lines == settings.heading
        }
    }
}

/// The reason why a settings file is not edited.
package struct EditRefusal: Error, Equatable {
    /// A clause that follows the file's path, such as "is not valid JSON at line 3".
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}
