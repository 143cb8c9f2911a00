import HeadgateConfiguration
import HeadgateLibC
import HeadgateNetwork

/// The configuration file that a command reads, and the source of its name.
package struct ConfigurationPlace: Equatable {
    package enum Naming: Equatable {
        case option
        case variable
        /// Found in a default place.
        case found
    }

    package let path: String
    package let naming: Naming

    /// Selects the file of an option, of `HEADGATE_CONFIG`, of the user, or of the system, in this order; nil if there
    /// is none. An empty `HEADGATE_CONFIG` selects none. A file in the working directory never counts: a folder that
    /// came from elsewhere must not tell a gateway which programs to run.
    ///
    /// - Parameter system: the system's configuration file.
    init?(option: String?, environment: [String: String], system: String = systemPath) {
        if let option {
            self.init(path: option, naming: .option)
        } else if let variable = environment["HEADGATE_CONFIG"] {
            guard !variable.isEmpty else { return nil }
            self.init(path: variable, naming: .variable)
        } else {
            let places = [ConfigurationPlace.userPath(environment), system].compactMap(\.self)
            guard let found = places.first(where: ConfigurationPlace.mayExist) else { return nil }
            self.init(path: found, naming: .found)
        }
    }

    private init(path: String, naming: Naming) {
        (self.path, self.naming) = (path, naming)
    }

    package static let systemPath = "/etc/headgate/headgate.yaml"

    /// Returns `headgate/headgate.yaml` in `$XDG_CONFIG_HOME`, else in `~/.config`; nil if neither is known.
    package static func userPath(_ environment: [String: String]) -> String? {
        func folder(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        return (folder("XDG_CONFIG_HOME") ?? folder("HOME").map { $0 + "/.config" }).map {
            $0 + "/headgate/headgate.yaml"
        }
    }

    /// Returns whether a file might exist. A file that cannot be checked counts as existing, since it must not be
    /// ignored silently.
    private static func mayExist(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 || (errno != ENOENT && errno != ENOTDIR)
    }

    // MARK: Trust

    /// Refuses a file in a default place that another user can write. It can name programs to run, and the destination
    /// of prompts.
    ///
    /// - Throws: ``Complaint``.
    func checkTrust() throws {
        guard naming == .found else { return }
        var status = stat()
        guard stat(path, &status) == 0 else { throw complaint("cannot be read (\(systemErrorText(errno)))") }
        try check(status, "the file")
        guard let real = realpath(path, nil) else { throw complaint("cannot be read (\(systemErrorText(errno)))") }
        defer { free(real) }
        // A user who can write to the folder can replace the file.
        for file in Set([path, String(cString: real)]) {
            let folder = FilePath.folder(of: file)
            guard stat(folder, &status) == 0 else { throw complaint("cannot be read (\(systemErrorText(errno)))") }
            try check(status, "its folder \(folder)")
        }
        guard access(path, R_OK) == 0 else { throw complaint("cannot be read (\(systemErrorText(errno)))") }
    }

    private func check(_ status: stat, _ what: String) throws {
        guard status.st_uid == 0 || status.st_uid == geteuid() else {
            throw complaint(
                "is not to be trusted: \(what) belongs to user \(status.st_uid), neither to you nor to root")
        }
        guard status.st_mode & 0o022 == 0 else {
            let mode = String(status.st_mode & 0o7777, radix: 8)
            throw complaint(
                "is not to be trusted: others may write to \(what) (mode \(mode)); 'chmod go-w' ends that")
        }
    }

    private func complaint(_ reason: String) -> Complaint {
        Complaint(
            "\(path) is the configuration that was found, and \(reason). To use it all the same, name it with --config "
                + "or HEADGATE_CONFIG; to use none, set HEADGATE_CONFIG to nothing",
            exitCode: .configuration)
    }
}
