import Foundation

@testable import HeadgateDialects

/// One member of the responses or events of a format, with a value that has an effect. It is a row of
/// `Tests/Vectors/Dialects/Answers`.
///
/// - `at`, `value`: the member and its value; `kind`: its additional name in the table.
/// - `unlike`: value to compare with, at the member's path in the response; by default the unchanged response.
/// - `given`: members that both responses have.
/// - `lost`: reason why the member can have no effect, for all clients or by their formats.
struct ResponseMember {
    let name: String
    let value: JSONValue
    private let with: JSONValue
    private let without: JSONValue
    private let lost: JSONValue?
    private let upstream: WireFormat

    fileprivate init?(_ row: JSONValue, of base: JSONValue, from upstream: WireFormat) {
        guard let at = row["at"]?.string, let value = row["value"] else { return nil }
        var base = base
        for given in row["given"]?.object?.members ?? [] { base = MemberPath(given.name).set(given.value, in: base) }
        let path = MemberPath(at)
        with = path.set(value, in: base)
        without = row["unlike"].map { path.set($0, in: base) } ?? base
        lost = row["lost"]
        self.value = value
        self.upstream = upstream
        let kind = row["kind"]?.string
        let rest = path.name.replacing("events[].", with: "")
        let event = at.hasPrefix("events[") && rest != path.name ? path.owner(ofEventIn: base) : nil
        let words = [event, rest == "events[]" ? nil : rest, rest == "events[]" ? kind : nil].compactMap { $0 }
        name = words.map { "`\($0)`" }.joined(separator: " ") + (rest == "events[]" ? "" : kind.map { " \($0)" } ?? "")
    }

    /// Returns the reason why the member can have no effect for a client of that format; nil if it must have one.
    func reason(for client: ClientFormat) -> String? { lost?.string ?? lost?[client.rawValue]?.string }

    func outcome(for client: ClientFormat) throws -> MemberOutcome {
        let (written, dropped) = try translated(with, to: client)
        if !dropped.isEmpty { return .dropped(dropped) }
        if written == (try translated(without, to: client).text) { return .silent }
        return written.contains(value.text) ? .carried : .mapped
    }

    /// - Returns: the client's response, and the parts reported as dropped.
    private func translated(
        _ response: JSONValue, to client: ClientFormat
    ) throws -> (text: String, dropped: [String]) {
        guard let events = response["events"]?.array else {
            let whole = try ResponseTranslation.translate(response.bytes, from: upstream, to: client, Streams.context)
            return (String(decoding: whole.bytes, as: UTF8.self), whole.response.dropped)
        }
        var translation = StreamTranslation(from: upstream, to: client, Streams.context)
        var output: [UInt8] = []
        for event in events { try event.bytes.withUnsafeBytes { try translation.receive($0, into: &output) } }
        if !translation.facts.hasEnded { _ = try translation.end(isMarked: true, into: &output) }
        return (String(decoding: output, as: UTF8.self), [])
    }
}

/// Members of one format's responses.
struct ResponseMembers {
    let upstream: WireFormat
    let whole: [ResponseMember]
    let events: [ResponseMember]

    init(of upstream: WireFormat) throws {
        let file = RequestMembers.folder.appendingPathComponent("Answers/\(upstream.rawValue).json")
        let document = try JSONValue([UInt8](try Data(contentsOf: file)))
        func rows(_ name: String, in base: String) -> [ResponseMember] {
            (document[name]?.array ?? []).compactMap {
                ResponseMember($0, of: document[base] ?? nil, from: upstream)
            }
        }
        self.upstream = upstream
        whole = rows("members", in: "whole")
        events = rows("events", in: "stream")
    }

    /// Formats into which the responses are translated.
    var clients: [ClientFormat] { ClientFormat.allCases.filter { $0.wire != upstream } }
}
