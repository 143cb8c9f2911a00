import ArgumentParser
import CHeadgate
import HeadgateLibC
import HeadgateNetwork
import HeadgateService
import HeadgateTerminal

struct ServiceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service", abstract: "Run the gateway as a service of this user, with systemd.",
        discussion: """
            'install' writes headgate.service into the folder of the user's systemd units (~/.config/systemd/user) and \
            starts it; 'status' shows how it is; 'uninstall' stops it and removes that file. No root is needed. A \
            system service is in docs/deployment.md.
            """,
        subcommands: [InstallServiceCommand.self, UninstallServiceCommand.self, ServiceStatusCommand.self])
}

struct InstallServiceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Write the unit, and start it now and at each login.",
        discussion: """
            The unit runs this program with the configuration that 'headgate check' shows, which is checked first. A \
            service does not see the shell's variables: it takes those of the file 'environment' beside \
            headgate.yaml, one NAME=VALUE a line. Repeat the command after moving the program or the configuration. \
            A unit that was edited is replaced with --force only.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Show the unit and what would be done; change nothing.")
    var dryRun = false

    @Flag(help: "Replace a unit that was edited, or that something else wrote.")
    var force = false

    func run() throws {
        try reporting {
            let environment = ProcessEnvironment.current
            let file = try UserUnitFile(environment)
            let variables = try ServiceVariables(environment)
            let missing = try variables.missing(for: options.file)
            let unit = UserUnit(
                program: try UserUnit.runningProgram(),
                configuration: variables.source(options.file).path.map { FilePath.absolute($0) },
                environmentFile: variables.path, folders: UserUnit.folders(environment))
            let text = try unit.text
            if !force, try file.state() == .edited {
                throw Complaint(
                    "\(file.path) was edited, or written by something else, and stays as it is: --force replaces it")
            }
            if dryRun {
                print(text, terminator: "")
                complain("headgate: this would be \(file.path); nothing was changed")
            } else {
                try NewFile.write(text, to: file.path, replacing: true, mode: 0o644)
                complain("headgate: wrote \(file.path)")
            }
            for line in try variables.missingPrograms(for: options.file) { complain("headgate: warning: \(line)") }
            guard missing.isEmpty else { return complain(variables.advice(missing, isInstalled: !dryRun)) }
            if !dryRun { try start(file) }
        }
    }

    private func start(_ file: UserUnitFile) throws {
        guard UserManager.run("daemon-reload") else {
            return complain(
                "'systemctl --user' does not work here (no user session of systemd?), so the service is not started.\n"
                    + "Next: in a session that has one, "
                    + "systemctl --user daemon-reload && systemctl --user enable --now headgate")
        }
        // A restart ensures that a gateway that already runs is replaced. It waits until the gateway serves.
        guard UserManager.run("enable", UserUnit.name), UserManager.run("restart", UserUnit.name) else {
            throw Complaint("the service did not start: 'journalctl --user --unit headgate' has its reasons")
        }
        complain("headgate: the service runs, and starts again at each login")
        complain("To keep it running without a login: loginctl enable-linger")
        complain("Next: headgate service status")
    }
}

struct UninstallServiceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall", abstract: "Stop the service and remove its unit.",
        discussion: "Configuration, keys and usage stay. A unit that was edited is removed with --force only.")

    @Flag(help: "Remove a unit that was edited, or that something else wrote.")
    var force = false

    func run() throws {
        try reporting {
            let file = try UserUnitFile(ProcessEnvironment.current)
            let state = try file.state()
            if state == .absent { return complain("headgate: no service is installed: there is no \(file.path)") }
            if state == .edited, !force {
                throw Complaint(
                    "\(file.path) was edited, or written by something else, and stays as it is: --force removes it")
            }
            let isStopped = UserManager.run("disable", "--now", UserUnit.name)
            try file.remove()
            if isStopped { _ = UserManager.run("daemon-reload") }
            complain("headgate: removed \(file.path)")
            complain(
                isStopped
                    ? "The service is stopped. Next: 'headgate serve' runs the gateway in a terminal"
                    : "'systemctl --user' does not work here: a service that still runs ends with its session")
        }
    }
}

struct ServiceStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the unit and whether the service runs.",
        discussion: "Exits 0 if the service runs, else 1.")

    func run() throws {
        try reporting {
            let file = try UserUnitFile(ProcessEnvironment.current)
            switch try file.state() {
            case .absent:
                throw Complaint("no service is installed (no \(file.path)): 'headgate service install' writes it")
            case .edited: print("\(file.path): edited, or written by something else")
            case .unedited(let text):
                print("\(file.path): as 'headgate service install' wrote it")
                let command = text.split(separator: "\n").first { $0.hasPrefix("ExecStart=") }
                if let command { print("runs \(Neutralised.line(String(command.dropFirst(10))))") }
            }
            fflush(nil)
            guard UserManager.run("--no-pager", "--lines=5", "status", UserUnit.name) else {
                throw Complaint("the service does not run, or 'systemctl --user' does not work here")
            }
        }
    }
}

/// The user's systemd instance.
enum UserManager {
    /// Returns the `PATH` of its services; nil if systemd does not work here.
    static func path() -> String? {
        guard let output = headgate_open_command("systemctl --user show-environment 2>/dev/null") else { return nil }
        defer { headgate_close_command(output) }
        var line = [CChar](repeating: 0, count: 16 << 10)
        var path: String?
        while fgets(&line, Int32(line.count), output) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            if text.hasPrefix("PATH="), text.hasSuffix("\n") { path = String(text.dropFirst(5).dropLast()) }
        }
        return path
    }

    /// Runs `systemctl --user` in this terminal.
    ///
    /// - Returns: Whether the program exists and succeeded.
    static func run(_ arguments: String...) -> Bool {
        let words = (["systemctl", "--user"] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var status: Int32 = 0
        return headgate_run_in_foreground(words, environ, &status) == 0 && status == 0
    }
}
