import HeadgateConfiguration
import HeadgateLibC
import HeadgateService

/// Variables of the service. They come from a file next to the configuration, because a service does not see the
/// shell's.
struct ServiceVariables {
    /// Path of `environment`, next to `headgate.yaml` in the user's folder.
    let path: String
    private let shell: [String: String]
    private let file: [String: String]

    /// - Throws: ``Complaint`` if the file cannot be read.
    init(_ environment: [String: String]) throws {
        guard let configuration = ConfigurationPlace.userPath(environment) else {
            throw Complaint("HOME is not set, so that there is no folder for the service's variables: set it")
        }
        path = "\(FilePath.folder(of: configuration))/environment"
        shell = environment
        let isThere = access(path, F_OK) == 0
        file = isThere ? ServiceVariables.read(try RegularFile.read(path, upTo: 1 << 20)) : [:]
    }

    /// Returns the configuration as the service finds it. Missing variables come from the shell.
    func source(_ named: String?) -> ConfigurationSource {
        ConfigurationSource(file: named, environment: shell.merging(file) { $1 })
    }

    /// Returns the names of variables that the configuration uses and that only the shell has.
    ///
    /// - Throws: ``Complaint`` if the configuration has errors.
    func missing(for named: String?) throws -> [String] {
        let source = source(named)
        _ = try source.check()
        let used = try source.explain().compactMap { setting -> String? in
            let words = setting.origin.split(separator: " ")
            return words.first == "environment" && words.count > 1 ? String(words[1]) : nil
        }
        return Set(used).filter { file[$0] == nil && !ServiceVariables.folders.contains($0) }.sorted()
    }

    /// Returns one line for each program of the configuration that the service cannot start, and the `PATH` of the
    /// search.
    ///
    /// - Throws: ``Complaint`` if the configuration has errors.
    func missingPrograms(for named: String?) throws -> [String] {
        let configuration = try source(named).check().configuration
        guard file["PATH"] == nil, configuration.looksForPrograms else { return configuration.unusablePrograms(file) }
        let path = UserManager.path() ?? ServiceVariables.usualPath
        let lines = configuration.unusablePrograms(["PATH": path])
        return lines.isEmpty
            ? [] : lines + ["The service's PATH is \(path). A line PATH=... in \(self.path) replaces it"]
    }

    /// systemd's default `PATH` for user services, unless the login sets another.
    private static let usualPath = "/usr/local/bin:/usr/bin:/bin"

    func advice(_ missing: [String], isInstalled: Bool) -> String {
        let lines = missing.map { "  printf '\($0)=%s\\n' \"$\($0)\" >> \(path.asShellWord)" }
        return
            (["The service does not see your shell's \(missing.joined(separator: ", ")). Write what it needs:"]
            + ["  (umask 077; touch \(path.asShellWord))"] + lines
            + [isInstalled ? "Next: headgate service install, which then starts it" : "Next: headgate service install"])
            .joined(separator: "\n")
    }

    /// Variables that the unit itself sets.
    private static let folders = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "HOME"]

    /// Parses `EnvironmentFile=` like systemd, without support for continued lines.
    static func read(_ bytes: [UInt8]) -> [String: String] {
        var variables: [String: String] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let line = line.drop { $0 == " " || $0 == "\t" }
            guard line.first != "#", line.first != ";", let equals = line.firstIndex(of: "=") else { continue }
            var value = line[line.index(after: equals)...]
            while value.last == " " || value.last == "\t" || value.last == "\r" { value.removeLast() }
            for quote in ["\"", "'"] where value.count > 1 && value.hasPrefix(quote) && value.hasSuffix(quote) {
                value = value.dropFirst().dropLast()
            }
            variables[String(line[..<equals])] = String(value)
        }
        return variables
    }
}
