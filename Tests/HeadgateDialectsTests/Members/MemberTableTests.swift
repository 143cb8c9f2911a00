import Foundation
import Testing

@testable import HeadgateDialects

@Suite("The outcome of every member of a request")
struct MemberTableTests {
    @Test("is defined: carried, mapped, dropped by name or refused by name", arguments: ClientFormat.allCases)
    func nothingIsSilent(client: ClientFormat) throws {
        let members = try RequestMembers(of: client)
        try #require(members.members.count > (client.wire == nil ? 25 : 80))
        for target in TranslationTarget.all(for: client) {
            // A report about the base would hide a report about a member.
            for base in members.bases { #expect(try target.translate(base, from: client).dropped.isEmpty) }
            for member in members.members where member.reason(for: target.format) == nil {
                let outcome = try MemberOutcome(of: member, from: client, for: target)
                #expect(outcome != .silent, "\(member.name) \(target.title)")
            }
        }
    }

    @Test("is in docs/dialects.md")
    func document() throws {
        let file = RequestMembers.folder.appendingPathComponent("../../../docs/dialects.md").standardized
        let written = try String(contentsOf: file, encoding: .utf8)
        let opening = try #require(written.range(of: MemberTable.opening))
        let expected = try written[..<opening.upperBound] + "\n\n" + MemberTable.text()
        if ProcessInfo.processInfo.environment["HEADGATE_WRITE_DOCUMENTS"] == "1" {
            try expected.write(to: file, atomically: true, encoding: .utf8)
        } else {
            let isUpToDate = written == expected
            #expect(isUpToDate, "Write the tables of docs/dialects.md anew: make dialects")
        }
    }
}

/// Tables of requests and responses in `docs/dialects.md`.
enum MemberTable {
    static let opening = "<!-- From here on written by `make dialects`. -->"

    static func text() throws -> String {
        let requests = try ClientFormat.allCases.map { try table(of: RequestMembers(of: $0)) }
        return try (requests + WireFormat.allCases.map(ResponseTable.text)).joined(separator: "\n")
    }

    private static func table(of members: RequestMembers) throws -> String {
        let targets = TranslationTarget.all(for: members.client)
        var lines = ["## Requests of \(members.client.title)", ""]
        lines.append("| member | " + targets.map(\.title).joined(separator: " | ") + " |")
        lines.append("|---" + targets.map { _ in "|---" }.joined() + "|")
        for member in members.members {
            let cells = try targets.map { target in
                cell(try MemberOutcome(of: member, from: members.client, for: target), member, target)
            }
            lines.append("| \(member.name) | " + cells.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func cell(
        _ outcome: MemberOutcome, _ member: RequestMember, _ target: TranslationTarget
    ) -> String {
        switch outcome {
        case .carried: "carried"
        case .mapped: "mapped"
        case .dropped([member.path.name]): "dropped"
        case .dropped(let names): "dropped as " + names.map { "`\($0)`" }.joined(separator: ", ")
        case .refused: "refused"
        case .silent: "left out: \(member.reason(for: target.format) ?? "nobody is told")"
        }
    }
}
