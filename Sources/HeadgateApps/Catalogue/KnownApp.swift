/// An app that `headgate setup` knows: the places of its settings, and the entries that point it at the gateway.
///
/// A new app is one value in ``all``, and one row in the tests.
package struct KnownApp: Sendable {
    /// One of an app's settings files.
    package struct File: Sendable {
        package let path: String
        package let edit: SettingsEdit
        /// Whether the gateway's key is in it.
        package var holdsKey = false
    }

    /// The name in command lines.
    package let name: String
    package var aliases: [String] = []
    package let title: String
    /// Programs that it puts on the `PATH`.
    package var programs: [String] = []
    /// Its settings, which are there once it has been used.
    package let traces: @Sendable (AppPlaces) -> [String]
    /// How the names of the models begin that it works best with.
    package var preferredModels: [String] = []
    /// The files to write; empty if its settings are typed into a form.
    package var files: @Sendable (AppSettings, AppPlaces) throws -> [File] = { _, _ in [] }
    /// Steps that remain for the user, or the settings to type.
    package let steps: @Sendable (AppSettings) -> [String]

    /// In the order of `headgate setup`.
    package static let all: [KnownApp] = [
        .codex, .claudeCode, .openCode, .aider, .continueDev, .cline, .zed, .vsCode, .cursor, .llm, .openWebUI,
        .obsidian, .raycast,
    ]

    package static func named(_ name: String) -> KnownApp? {
        let name = name.lowercased()
        return all.first { $0.name == name || $0.aliases.contains(name) }
    }

    /// Whether the app is on this machine, as far as its program or its settings show.
    package func isFound(_ places: AppPlaces) -> Bool {
        programs.contains(where: places.hasProgram) || traces(places).contains(where: places.exists)
    }
}
