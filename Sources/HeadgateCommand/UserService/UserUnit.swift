import HeadgateLibC
import HeadgateNetwork
import HeadgateRelay
import HeadgateService

/// The systemd unit that runs the gateway for one user.
struct UserUnit {
    static let name = "headgate.service"

    /// Path of the running `headgate`, without symbolic links.
    let program: String
    /// Absolute; nil lets the gateway look for its file at each start.
    let configuration: String?
    /// Path of the file with the variables for the service, one `NAME=VALUE` a line.
    let environmentFile: String
    /// This user's folders, if they are not in their usual places, which the service manager does not know.
    let folders: [(name: String, path: String)]

    /// Whole, with a first line from which an edit can be seen.
    ///
    /// - Throws: ``Complaint`` for a path that a unit cannot name.
    var text: String {
        get throws {
            let body = try self.body
            return UserUnit.mark(of: body) + body
        }
    }

    /// The folders of XDG that are set, sorted by name.
    static func folders(_ environment: [String: String]) -> [(name: String, path: String)] {
        ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"].compactMap { name in
            environment[name].flatMap { $0.hasPrefix("/") ? (name, $0) : nil }
        }
    }

    /// The running program.
    ///
    /// - Throws: ``Complaint``.
    static func runningProgram() throws -> String {
        guard let path = ProgramFile.path else {
            throw Complaint("cannot find the file of this program: \(systemErrorText(errno))")
        }
        return path
    }

    /// Whether the text is one that was written here and not edited.
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

    /// One word of the unit. The manager replaces `%` in all of them.
    private static func quoted(_ word: String) throws -> String {
        let safe = try escaped(word).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"\(safe)\""
    }

    /// An argument of the program, in which the manager also replaces `$`.
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

/// The file of the unit.
struct UserUnitFile {
    enum State: Equatable {
        case absent
        /// As `headgate service install` wrote it, perhaps for another program or configuration.
        case unedited(String)
        case edited
    }

    let path: String

    /// Creates a unit in the folder where systemd looks for a user's units.
    ///
    /// - Throws: ``Complaint`` if there is no such folder.
    init(_ environment: [String: String]) throws {
        guard let file = ConfigurationPlace.userPath(environment) else {
            throw Complaint("HOME is not set, so that there is no folder for the unit: set it")
        }
        // The folder of the configuration is beside systemd's.
        let folder = FilePath.folder(of: FilePath.folder(of: file))
        path = "\(folder)/systemd/user/\(UserUnit.name)"
    }

    /// - Throws: ``Complaint`` for a file that cannot be read.
    func state() throws -> State {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else {
                throw Complaint("cannot look at \(path): \(systemErrorText(errno))")
            }
            return .absent
        }
        // A link, such as one to /dev/null that masks the unit, was not made here.
        guard status.st_mode & S_IFMT == S_IFREG else { return .edited }
        let text = String(decoding: try RegularFile.read(path, upTo: 1 << 20), as: UTF8.self)
        return UserUnit.isUnedited(text) ? .unedited(text) : .edited
    }

    /// - Throws: ``Complaint``.
    func remove() throws {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw Complaint("cannot remove \(path): \(systemErrorText(errno))")
        }
        // The link created by 'enable', if the manager could not remove it.
        let wanted = "\(FilePath.folder(of: path))/default.target.wants/\(UserUnit.name)"
        var status = stat()
        if lstat(wanted, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, access(wanted, F_OK) != 0 { unlink(wanted) }
    }
}
