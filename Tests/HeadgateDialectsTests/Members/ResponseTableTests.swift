import Testing

@testable import HeadgateDialects

@Suite("The outcome of every member of a response")
struct ResponseTableTests {
    @Test(
        "is defined: carried, mapped, named as dropped, or dropped for a documented reason",
        arguments: WireFormat.allCases)
    func nothingIsSilent(upstream: WireFormat) throws {
        let members = try ResponseMembers(of: upstream)
        try #require(members.whole.count > 35 && members.events.count > 40)
        for member in members.whole + members.events {
            for client in members.clients where member.reason(for: client) == nil {
                let outcome = try member.outcome(for: client)
                #expect(outcome != .silent, "\(member.name) to \(client.title)")
            }
        }
    }

    @Test(
        "is named by its type only if that is a word",
        arguments: ["sk-1234", "a b", "", String(repeating: "a", count: 41)])
    func types(type: String) throws {
        let item: JSONValue = ["type": .string(type)]
        let response = try ResponsesResponseReader.read(["output": [item, item]])
        #expect(response.dropped == ["response.output[]"])
        #expect(try MessagesResponseReader.read(["content": [item]]).dropped == ["response.content[]"])
    }
}

/// Tables of responses in `docs/dialects.md`.
enum ResponseTable {
    static func text(of upstream: WireFormat) throws -> String {
        let members = try ResponseMembers(of: upstream)
        func table(_ rows: [ResponseMember], _ title: String) throws -> [String] {
            [title, "", "| member | for clients of other APIs |", "|---|---|"]
                + (try rows.map { "| \($0.name) | \(try cell($0, members.clients)) |" }) + [""]
        }
        let whole = try table(members.whole, "## Responses of \(upstream.title)")
        let events = try table(members.events, "## Events of \(upstream.title)")
        return (whole + events).joined(separator: "\n")
    }

    /// Returns the member's outcome for the first client, and for clients with a different outcome.
    private static func cell(_ member: ResponseMember, _ clients: [ClientFormat]) throws -> String {
        var cells: [(text: String, clients: [ClientFormat])] = []
        for client in clients {
            let text = try text(of: member, client)
            if let index = cells.firstIndex(where: { $0.text == text }) {
                cells[index].clients.append(client)
            } else {
                cells.append((text, [client]))
            }
        }
        let others = cells.dropFirst().map { cell in
            "to " + cell.clients.map(\.title).joined(separator: " and ") + ": " + cell.text
        }
        return ([cells[0].text] + others).joined(separator: "; ")
    }

    private static func text(of member: ResponseMember, _ client: ClientFormat) throws -> String {
        switch try member.outcome(for: client) {
        case .carried: "carried"
        case .dropped(let names): "dropped as " + names.map { "`\($0)`" }.joined(separator: ", ")
        case .silent: "dropped, " + (member.reason(for: client) ?? "and no one is told")
        case .mapped, .refused: "mapped"
        }
    }
}
