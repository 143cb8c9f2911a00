import HeadgateApps
import HeadgateService
import HeadgateTerminal

/// Removes an app's settings for the gateway from its files.
struct AppUndo {
    let app: KnownApp
    let files: [KnownApp.File]

    private struct Change {
        let file: SettingsFile
        let holdsKey: Bool
        /// Text before the setup; nil if setup created the file.
        let former: String?
        let isWhole: Bool
    }

    /// Removes the settings.
    ///
    /// - Throws: ``Complaint``. If the edits of any file fail, no file has changed.
    func run() throws {
        let changes = try files.compactMap(change)
        for change in changes { try undo(change) }
        if changes.isEmpty {
            announce("There is nothing to undo: \(app.title) has no settings that setup wrote for this gateway.")
        }
    }

    private func change(_ known: KnownApp.File) throws -> Change? {
        let file = try SettingsFile(known.path)
        let backup = try file.backup()
        if file.text == nil, backup != nil {
            complain("headgate: \(known.path) is gone; \(file.backupPath) is the file of before")
        }
        guard let text = file.text, backup != nil || known.edit.isPresent(in: text) else { return nil }
        do {
            let rest = try known.edit.removing(from: text, original: backup, app: app.name)
            let isOurs = backup == nil && known.edit.isBlank(rest)
            return Change(
                file: file, holdsKey: known.holdsKey, former: isOurs ? nil : rest, isWhole: isOurs || rest == backup)
        } catch {
            let advice = backup == nil ? "" : "; \(file.backupPath) is the file of before"
            throw Complaint("\(known.path) \(error.reason). Nothing was changed\(advice)")
        }
    }

    private func undo(_ change: Change) throws {
        let path = change.file.path
        try change.file.restore(change.former)
        for line in LineDifference.lines(from: change.file.text ?? "", to: change.former ?? "", path: path) {
            announce(Neutralised.text(SecretMask.masked(line, showing: change.holdsKey ? [] : nil)))
        }
        if change.former == nil {
            announce("Removed \(path), which setup had created.")
        } else if change.isWhole {
            announce("Restored \(path) to what it was before; the backup is removed.")
        } else {
            announce("Took the gateway's entries out of \(path). Other changes in it stay; the backup is removed.")
        }
    }
}
