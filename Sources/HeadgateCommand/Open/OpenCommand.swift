import ArgumentParser
import CHeadgate
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateLibC
import HeadgateNetwork
import HeadgateService

struct OpenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open the gateway's web chat in a browser, or on a phone.",
        discussion: """
            The page opens with the gateway's key. The key follows '#' in the address, which browsers send to no \
            server. It is not in a command line either: the browser gets a file that only this user can read. The \
            command removes the file after some seconds.

            With --phone the command prints a QR code. The phone that scans it first gets a key of its own, with a \
            budget and an end. The code works once, within five minutes. The gateway must listen beyond this machine, \
            and the command needs a key with 'admin: true'.

            BROWSER names a program to run instead of xdg-open.

            Examples:
              headgate open status
              headgate open --phone --budget usd=2/day --expires 7d
            """)

    enum Page: String, ExpressibleByArgument, CaseIterable {
        case chat, status, docs

        var path: String { self == .chat ? "/" : "/\(rawValue)" }
    }

    @Argument(help: "The page to open: chat, status or docs.")
    var page = Page.chat

    @Flag(help: "Print a QR code that gives a phone a key of its own.")
    var phone = false

    @Option(help: ArgumentHelp("Budget of the phone's key.", valueName: "budget"))
    var budget = "usd=1/day"

    @Option(
        help: ArgumentHelp("End of the phone's key: a time from now such as 12h, or a date.", valueName: "when"))
    var expires = "24h"

    @OptionGroup var gateway: GatewayOptions

    func run() throws {
        try reporting {
            let environment = ProcessEnvironment.current
            if phone { return try pair(environment) }
            let found = try find(environment)
            guard let root = found.root.text else {
                throw Complaint("the gateway listens on a Unix socket only, which no browser opens")
            }
            let browser = environment["BROWSER"].flatMap { $0.isEmpty ? nil : $0 } ?? "xdg-open"
            guard let key = found.key else { return try open(root + page.path, with: browser) }
            // These signals end the wait, so the file is still removed.
            for number in [SIGINT, SIGTERM, SIGHUP] { signal(number) { _ in } }
            let file = try RedirectFile(to: "\(root)\(page.path)#key=\(key)", environment)
            defer { file.remove() }
            try open(file.path, with: browser)
            complain("headgate: \(root)\(page.path) opens in the browser")
            // The browser program can return before the browser has read the file.
            sleep(RedirectFile.lifetime)
        }
    }

    private func pair(_ environment: [String: String]) throws {
        let named = try gateway.chosenURL(environment).flatMap { $0.isLoopback ? nil : BaseURL($0).withoutVersion.text }
        let origin = try named ?? PhoneOrigin.find(try gateway.configuration.source.loadWithoutSecrets())
        let found = try find(environment)
        guard found.key != nil else {
            throw Complaint("This needs a key with 'admin: true': name it with --key-file or HEADGATE_KEY.")
        }
        let address = try PhonePairing(gateway: found, origin: origin).address(budget: budget, expires: expires)
        for line in try PhonePairing.lines(address, isColored: isatty(STDOUT_FILENO) == 1) { print(line) }
        print(address)
        complain("Scan the code with the phone within five minutes. It works once. Revoke the key with 'headgate key'.")
        if origin.hasPrefix("http://") {
            complain(
                "Warning: this is plain HTTP. Everyone on the network can read the code, the key, prompts and answers. "
                    + "Set 'tls:' at the listener, or use a VPN.")
        }
    }

    private func find(_ environment: [String: String]) throws -> ReachableGateway {
        if let named = try ReachableGateway.named(gateway, environment) { return named }
        let group = try EventLoopGroup(starting: 1)
        defer { group.stop() }
        let found = try ReachableGateway.running(
            try gateway.configuration.source.loadWithoutSecrets(), key: try gateway.givenKey(environment), environment,
            GatewayProbe(group: group, deadline: .now + .seconds(15)), needsTCP: true
        ) { complain("headgate: \($0)") }
        guard let found else {
            throw Complaint(
                "no gateway runs that could be opened: start one with 'headgate serve', or name one with --url")
        }
        return found
    }

    private func open(_ address: String, with browser: String) throws {
        let arguments = [strdup(browser), strdup(address), nil]
        defer { for argument in arguments { free(argument) } }
        var status: Int32 = 0
        let error = headgate_run_in_foreground(arguments, environ, &status)
        guard error == 0 else {
            throw Complaint("cannot run \(browser): \(systemErrorText(-error)); BROWSER names another program")
        }
        guard status == 0 else { throw Complaint("\(browser) could not open a browser; BROWSER names another program") }
    }
}

/// A file on this machine that redirects a browser.
struct RedirectFile {
    /// Time in seconds that a browser has to start.
    static let lifetime: UInt32 = 10

    let path: String
    private let folder: String

    /// - Throws: ``Complaint`` if the file cannot be created.
    init(to address: String, _ environment: [String: String]) throws {
        let runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        var template = Array("\(runtime ?? "/tmp")/headgate-open.XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            throw Complaint("cannot make a folder in \(runtime ?? "/tmp"): \(systemErrorText(errno))")
        }
        folder = String(cString: made)
        path = folder + "/headgate.html"
        let text = RedirectFile.text(address)
        let descriptor = HeadgateLibC.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Complaint("cannot make \(path): \(systemErrorText(errno))") }
        defer { close(descriptor) }
        guard write(descriptor, text, text.utf8.count) == text.utf8.count else {
            remove()
            throw Complaint("cannot write \(path): \(systemErrorText(errno))")
        }
    }

    func remove() {
        unlink(path)
        rmdir(folder)
    }

    private static func text(_ address: String) -> String {
        let address = address.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing("<", with: "&lt;")
        return """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="referrer" content="no-referrer">
            <meta http-equiv="refresh" content="0; url=\(address)">
            <title>Headgate</title>
            <p><a href="\(address)">Open Headgate</a></p>
            </html>

            """
    }
}
