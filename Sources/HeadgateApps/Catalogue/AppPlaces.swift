// HeadgateApps: the apps that the gateway knows by name, and the settings that make them use it. Everything here is
// pure: texts and settings go in, texts come out. The command reads and writes the files.

/// The folders of a user in which apps store their settings.
package struct AppPlaces: Sendable {
    private let environment: [String: String]
    private let home: String
    private let isDarwin: Bool
    /// Returns whether there is a file or a folder at a path.
    let exists: @Sendable (String) -> Bool

    /// Creates the places from an environment.
    ///
    /// - Returns: nil if `HOME` is not an absolute path.
    package init?(
        environment: [String: String], isDarwin: Bool = AppPlaces.isDarwin, exists: @escaping @Sendable (String) -> Bool
    ) {
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        self.environment = environment
        self.home = home.hasSuffix("/") ? String(home.dropLast()) : home
        self.isDarwin = isDarwin
        self.exists = exists
    }

    package static var isDarwin: Bool {
        #if canImport(Darwin)
            true
        #else
            false
        #endif
    }

    func home(_ path: String) -> String { "\(home)/\(path)" }

    /// Returns a path below `$XDG_CONFIG_HOME`, or below `~/.config` if that is not set.
    func config(_ path: String) -> String { (folder("XDG_CONFIG_HOME") ?? home(".config")) + "/\(path)" }

    /// Returns a path below `~/Library/Application Support` on macOS, and that of ``config(_:)`` elsewhere.
    func support(_ path: String) -> String {
        isDarwin ? home("Library/Application Support/\(path)") : config(path)
    }

    /// Returns the folder that a variable names, if it is an absolute path.
    func folder(_ variable: String) -> String? {
        guard let path = environment[variable], path.hasPrefix("/") else { return nil }
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Returns whether a program is on the `PATH`.
    package func hasProgram(_ name: String) -> Bool {
        (environment["PATH"] ?? "").split(separator: ":").contains { exists("\($0)/\(name)") }
    }
}
