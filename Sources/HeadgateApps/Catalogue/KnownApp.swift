/// An app that `headgate setup` knows: where its settings are, and the entries that make it use the gateway.
///
/// A new app needs one value in ``all``, and one row in the tests.
package struct KnownApp: Sendable {
    /// One of an app's settings files.
    package struct File: Sendable {
        package let path: String
        package let edit: SettingsEdit
        /// Whether the file contains the gateway's key.
        package var holdsKey = false
    }

    /// The name in command lines.
    package let name: String
    package var aliases: [String] = []
    package let title: String
    /// The programs that the app puts on the `PATH`.
    package var programs: [String] = []
    /// Returns the paths of its settings, one of which exists once the app has been used.
    package let traces: @Sendable (AppPlaces) -> [String]
    /// The beginnings of the names of the models that the app works best with.
    package var preferredModels: [String] = []
    /// Returns the files to write; none if the user types the settings into a form.
    package var files: @Sendable (AppSettings, AppPlaces) throws -> [File] = { _, _ in [] }
    /// Returns the steps that remain for the user, or the settings to type.
    package let steps: @Sendable (AppSettings) -> [String]

    /// All apps, in the order in which `headgate setup` lists them.
    package static let all: [KnownApp] = [
        .codex, .claudeCode, .openCode, .aider, .continueDev, .cline, .zed, .vsCode, .cursor, .llm, .openWebUI,
        .obsidian, .raycast,
    ]

    package static func named(_ name: String) -> KnownApp? {
        let name = name.lowercased()
        return all.first { $0.name == name || $0.aliases.contains(name) }
    }

    /// Returns whether the app's program or its settings are on this machine.
    package func isFound(_ places: AppPlaces) -> Bool {
        programs.contains(where: places.hasProgram) || traces(places).contains(where: places.exists)
    }
}
