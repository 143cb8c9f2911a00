import ArgumentParser
import CHeadgate
import Glibc
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateNetwork
import HeadgateService

struct OpenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open the gateway's web chat in a browser, with its key.",
        discussion: """
            The key follows '#' in the address, a part that browsers send to nobody. It stands in no command line \
            either: the browser is given a file that only this user can read, which leads on to the gateway and is \
            removed after some seconds.

            BROWSER names a program to run in place of xdg-open.
            """)

    enum Page: String, ExpressibleByArgument, CaseIterable {
        case chat, status, docs

        var path: String { self == .chat ? "/" : "/\(rawValue)" }
    }

    @Argument(help: "What is opened: chat, status or docs.")
    var page = Page.chat

    @OptionGroup var gateway: GatewayOptions

    func run() throws {
        try reporting {
            let environment = ProcessEnvironment.current
            let found = try find(environment)
            guard let root = found.root.text else {
                throw Complaint("the gateway listens on a Unix socket only, which no browser opens")
            }
            let browser = environment["BROWSER"].flatMap { $0.isEmpty ? nil : $0 } ?? "xdg-open"
            guard let key = found.key else { return try open(root + page.path, with: browser) }
            // They end the wait, and the file goes anyway.
            for number in [SIGINT, SIGTERM, SIGHUP] { signal(number) { _ in } }
            let file = try RedirectFile(to: "\(root)\(page.path)#key=\(key)", environment)
            defer { file.remove() }
            try open(file.path, with: browser)
            complain("headgate: \(root)\(page.path) opens in the browser")
            // The program has returned before the browser has read the file.
            sleep(RedirectFile.lifetime)
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

/// A page on this user's disk that leads a browser on.
struct RedirectFile {
    /// Seconds, in which a browser starts.
    static let lifetime: UInt32 = 10

    let path: String
    private let folder: String

    /// - Throws: ``Complaint``.
    init(to address: String, _ environment: [String: String]) throws {
        let runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        var template = Array("\(runtime ?? "/tmp")/headgate-open.XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            throw Complaint("cannot make a folder in \(runtime ?? "/tmp"): \(systemErrorText(errno))")
        }
        folder = String(cString: made)
        path = folder + "/headgate.html"
        let text = RedirectFile.text(address)
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
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
