import HeadgateApps
import HeadgateService
import HeadgateTerminal

/// Shows or writes the settings of one app.
struct AppSetup {
    let app: KnownApp
    let settings: AppSettings
    let places: AppPlaces
    let writes: Bool

    private struct Change {
        let file: SettingsFile
        let known: KnownApp.File
        let new: String
    }

    /// Shows or writes the settings.
    ///
    /// - Throws: ``Complaint``.
    func run() throws {
        say("\(app.title): \(settings.url), model \(settings.model)")
        let files = try files(settings)
        if files.isEmpty {
            if writes { complain("headgate: \(app.title) has no settings file to write; type this into its form") }
            for step in app.steps(settings) { say(step) }
            return
        }
        if writes {
            try write(files)
        } else {
            try show()
            say("'headgate setup \(app.name) --write' does that, and leaves a backup of each file.")
        }
        say("Next:")
        for step in app.steps(settings) { say("  \(step)") }
    }

    private func files(_ settings: AppSettings) throws -> [KnownApp.File] {
        do {
            return try app.files(settings, places)
        } catch let refusal as EditRefusal {
            throw Complaint("\(app.title)'s settings file \(refusal.reason)")
        }
    }

    // MARK: Showing

    private func show() throws {
        for file in try files(settings.withoutKey) {
            say("\nAdd to \(file.path):\n")
            say(try text(of: file))
        }
        if settings.keySource != .notNeeded, try files(settings).contains(where: \.holdsKey) {
            say("Replace \(AppSettings.keyPlaceholder) with \(settings.keyDescription); --write fills it in.")
        }
    }

    /// Returns the entries as the text of a separate file.
    private func text(of file: KnownApp.File) throws -> String {
        do {
            return try file.edit.applying(to: "", app: app.name)
        } catch {
            throw Complaint("\(file.path) \(error.reason)")
        }
    }

    // MARK: Writing

    private func write(_ files: [KnownApp.File]) throws {
        if settings.keySource == .unknown, files.contains(where: \.holdsKey) {
            throw Complaint(
                "\(app.title) needs a key in its file, and the gateway knows only the digests of its keys: give one "
                    + "of them in HEADGATE_KEY, or a file with it in --key-file")
        }
        // If one file cannot be edited, none is written.
        let changes = try files.map(change)
        for change in changes { try write(change) }
    }

    private func change(_ known: KnownApp.File) throws -> Change {
        let file = try SettingsFile(known.path)
        do {
            return Change(file: file, known: known, new: try known.edit.applying(to: file.text ?? "", app: app.name))
        } catch {
            try show()
            throw Complaint("\(known.path) \(error.reason). Nothing was changed; add the text above by hand")
        }
    }

    private func write(_ change: Change) throws {
        let (file, path) = (change.file, change.file.path)
        guard change.new != file.text else { return say("\(path) is already set up.") }
        // The backup of an earlier setup that was undone by hand does not belong to the current file.
        let isFresh = file.text.map { !change.known.edit.isPresent(in: $0) } ?? true
        try file.write(change.new, isSecret: change.known.holdsKey, renewsBackup: isFresh)
        let difference = LineDifference.lines(from: file.text ?? "", to: change.new, path: path)
        let key = settings.keySource == .notNeeded ? nil : settings.key
        let shown =
            change.known.holdsKey
            ? [settings.url, settings.url + "/v1", settings.model, "openai/\(settings.model)"] : nil
        for line in difference { say(SecretMask.masked(line, key: key, showing: shown)) }
        let place = file.isLink ? "\(path), a link to \(file.target)" : path
        say("Wrote \(place).\(file.text == nil ? "" : " Backup: \(file.backupPath)")")
        if change.known.holdsKey, file.isReadByOthers {
            complain("headgate: \(path) holds the gateway's key now, and others can read it: chmod 600 \(path)")
        }
    }

    private func say(_ text: String) { announce(Neutralised.text(text)) }
}

extension AppSettings {
    /// Description of the key for messages.
    var keyDescription: String {
        switch keySource {
        case .notNeeded: "any word"
        case .file(_, let command): "the gateway's key, which '\(command)' prints"
        case .variable: "the key in HEADGATE_KEY"
        case .unknown: "one of your gateway keys"
        }
    }
}
