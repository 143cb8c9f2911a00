import HeadgateLibC
import HeadgateNetwork
import HeadgateRelay
import HeadgateService

/// The systemd unit that runs the gateway for one user.
struct UserUnit {
    static let name = "headgate.service"

    /// Path of the running `headgate`, without symbolic links.
    let program: String
    /// Absolute path of the configuration; nil if the gateway searches for it at each start.
    let configuration: String?
    /// Path of the file with the service's variables, one `NAME=VALUE` per line.
    let environmentFile: String
    /// Folders of this user that are not in their default places, which the service manager does not know.
    let folders: [(name: String, path: String)]

    /// The whole unit. Its first line reveals later edits.
    ///
    /// - Throws: ``Complaint`` if a path cannot be written in a unit.
    var text: String {
        get throws {
            let body = try self.body
            return UserUnit.mark(of: body) + body
        }
    }

    /// Returns the XDG folders that are set, sorted by name.
    static func folders(_ environment: [String: String]) -> [(name: String, path: String)] {
        ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"].compactMap { name in
            environment[name].flatMap { $0.hasPrefix("/") ? (name, $0) : nil }
        }
    }

    /// Returns the path of the running program.
    ///
    /// - Throws: ``Complaint``.
    static func runningProgram() throws -> String {
        guard let path = ProgramFile.path else {
            throw Complaint("cannot find the file of this program: \(systemErrorText(errno))")
        }
        return path
    }

    /// Returns whether a text was written by this program and not edited.
    static func isUnedited(_ text: String) -> Bool {
        guard let end = text.firstIndex(of: "\n") else { return false }
        let body = text[text.index(after: end)...]
        return text[...end] == mark(of: body)
    }

    private static func mark(of body: some StringProtocol) -> String {
        "# Written by 'headgate service install'; an edit is noticed by this digest: "
            + "\(KeyDigest(of: body.utf8).hexadecimal)\n"
    }

    private var body: String {
        get throws {
            let program = try UserUnit.quoted(program)
            let file = try configuration.map { " --config \(try UserUnit.argument($0))" } ?? ""
            let surroundings = try folders.map { "Environment=\(try UserUnit.quoted("\($0.name)=\($0.path)"))\n" }
            return """
                [Unit]
                Description=Headgate, one local endpoint in front of every LLM
                # Exit code 78 is a configuration that cannot work; trying again does not help.
                StartLimitIntervalSec=60
                StartLimitBurst=5

                [Service]
                Type=notify
                NotifyAccess=main
                \(surroundings.joined())EnvironmentFile=-\(try UserUnit.escaped(environmentFile))
                ExecStart=\(program) serve\(file)
                # Waits for the result: a bad configuration changes nothing, and the reload fails with the reasons.
                ExecReload=\(program) reload --pid $MAINPID
                WatchdogSec=30
                Restart=on-failure
                RestartPreventExitStatus=78
                # Streams in flight get 30 s to finish.
                TimeoutStopSec=45
                LimitCORE=0
                UMask=0077
                # What a user's service manager can enforce, and programs that the gateway starts can live with.
                NoNewPrivileges=yes
                LockPersonality=yes
                RestrictRealtime=yes
                RestrictSUIDSGID=yes
                RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
                SystemCallArchitectures=native
                SystemCallFilter=@system-service
                SystemCallErrorNumber=EPERM

                [Install]
                WantedBy=default.target

                """
        }
    }

    /// Returns a word of the unit in quotes. systemd expands `%` in all words.
    private static func quoted(_ word: String) throws -> String {
        let safe = try escaped(word).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"\(safe)\""
    }

    /// Returns an argument of the program. systemd also expands `$` in arguments.
    private static func argument(_ word: String) throws -> String {
        try quoted(word).replacing("$", with: "$$")
    }

    private static func escaped(_ path: String) throws -> String {
        guard path.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw Complaint("a unit cannot name a path with a line break or control character: move the file")
        }
        return path.replacing("%", with: "%%")
    }
}

/// File of the unit.
struct UserUnitFile {
    enum State: Equatable {
        case absent
        /// A unit as `headgate service install` wrote it, perhaps for another program or configuration.
        case unedited(String)
        case edited
    }

    let path: String

    /// Determines the path in the folder where systemd looks for a user's units.
    ///
    /// - Throws: ``Complaint`` if there is no such folder.
    init(_ environment: [String: String]) throws {
        guard let file = ConfigurationPlace.userPath(environment) else {
            throw Complaint("HOME is not set, so that there is no folder for the unit: set it")
        }
        // The configuration's folder is next to systemd's.
        let folder = FilePath.folder(of: FilePath.folder(of: file))
        path = "\(folder)/systemd/user/\(UserUnit.name)"
    }

    /// - Throws: ``Complaint`` if the file cannot be read.
    func state() throws -> State {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else {
                throw Complaint("cannot look at \(path): \(systemErrorText(errno))")
            }
            return .absent
        }
        // A link, such as one to /dev/null that masks the unit, was not created by this program.
        guard status.st_mode & S_IFMT == S_IFREG else { return .edited }
        let text = String(decoding: try RegularFile.read(path, upTo: 1 << 20), as: UTF8.self)
        return UserUnit.isUnedited(text) ? .unedited(text) : .edited
    }

    /// - Throws: ``Complaint`` if the file cannot be removed.
    func remove() throws {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw Complaint("cannot remove \(path): \(systemErrorText(errno))")
        }
        // Removes the link that 'enable' created, if systemd did not.
        let wanted = "\(FilePath.folder(of: path))/default.target.wants/\(UserUnit.name)"
        var status = stat()
        if lstat(wanted, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, access(wanted, F_OK) != 0 { unlink(wanted) }
    }
}
