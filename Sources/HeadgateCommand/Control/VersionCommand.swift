import ArgumentParser
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateRelay
import HeadgateService
import HeadgateTerminal

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version", abstract: "Print the version, and check for a newer one.",
        discussion: """
            With --check the command requests one address, and sends nothing but its own version as User-Agent. The \
            gateway itself never checks.

            The address is that of --url or HEADGATE_RELEASES. It answers with JSON: 'tag_name' and 'html_url', as \
            GitHub's releases/latest does, or 'version' and 'url'.

            Example:
              headgate version --check --url https://api.github.com/repos/OWNER/headgate/releases/latest
            """)

    @Flag(help: "Request the newest version, and compare.")
    var check = false

    @Option(
        help: ArgumentHelp("Address of the newest release, in place of HEADGATE_RELEASES.", valueName: "url"))
    var url: String?

    func run() throws {
        try reporting {
            guard check else { return print(GatewayVersion.text) }
            let release = try newest()
            guard let newest = ReleaseVersion(release.version) else {
                throw Complaint("The release has no version such as 1.2.3: \(Neutralised.line(release.version)).")
            }
            guard let own = ReleaseVersion(GatewayVersion.text), own < newest else {
                return print("Headgate \(GatewayVersion.text) is the newest version.")
            }
            print("Headgate \(newest) is released. This is \(GatewayVersion.text).")
            if let page = release.page { print("Release: \(Neutralised.line(page))") }
            print("How to upgrade: docs/upgrade.md")
        }
    }

    private func newest() throws -> Release {
        let variable = ProcessEnvironment.current["HEADGATE_RELEASES"].flatMap { $0.isEmpty ? nil : $0 }
        guard let text = url ?? variable else {
            throw Complaint(
                "No address of releases is known. Name it with --url or HEADGATE_RELEASES, such as "
                    + "https://api.github.com/repos/OWNER/headgate/releases/latest.")
        }
        let address: UpstreamURL
        do {
            address = try UpstreamURL(parsing: text, allowingPlainHTTP: true)
        } catch {
            throw Complaint("\(url == nil ? "HEADGATE_RELEASES" : "--url"): \(error.message)")
        }
        let group = try EventLoopGroup(starting: 1)
        defer { group.stop() }
        let response: GatewayProbe.Response
        do {
            response = try GatewayProbe(group: group).fetch(BaseURL(address))
        } catch let error as TransportError {
            throw Complaint(
                "Cannot reach \(address.host): \(error.detail.isEmpty ? "no response came" : error.detail). "
                    + "The version was not checked.")
        }
        guard response.status == 200 else {
            throw Complaint("\(address.host) answered with status \(response.status). The version was not checked.")
        }
        guard let release = try? JSONDecoder().decode(Release.self, from: Data(response.body)) else {
            throw Complaint("\(address.host) answered with something else than a release. The version was not checked.")
        }
        return release
    }
}

/// The newest release, in GitHub's format or a plain one.
private struct Release: Decodable {
    let version: String
    let page: String?

    private enum Name: String, CodingKey {
        case version, url
        case tag = "tag_name"
        case html = "html_url"
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Name.self)
        let tag = try members.decodeIfPresent(String.self, forKey: .tag)
        version = try tag ?? members.decode(String.self, forKey: .version)
        page = try members.decodeIfPresent(String.self, forKey: tag == nil ? .url : .html)
    }
}

/// A version such as 1.2.3 or v1.2.3. Text after a hyphen or a plus is ignored.
struct ReleaseVersion: Comparable, CustomStringConvertible {
    private let numbers: [Int]

    init?(_ text: String) {
        let core = (text.first == "v" ? text.dropFirst() : text[...]).prefix { $0 != "-" && $0 != "+" }
        let parts = core.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.count <= 9 && part.utf8.allSatisfy { $0 &- 0x30 < 10 } ? Int(part) : nil
        }
        guard (1...4).contains(parts.count), numbers.count == parts.count else { return nil }
        self.numbers = numbers
    }

    var description: String { numbers.map(String.init).joined(separator: ".") }

    static func < (one: ReleaseVersion, other: ReleaseVersion) -> Bool {
        let count = max(one.numbers.count, other.numbers.count)
        let (one, other) = (one.filled(to: count), other.filled(to: count))
        return one.lexicographicallyPrecedes(other)
    }

    static func == (one: ReleaseVersion, other: ReleaseVersion) -> Bool { !(one < other) && !(other < one) }

    private func filled(to count: Int) -> [Int] { numbers + [Int](repeating: 0, count: count - numbers.count) }
}
