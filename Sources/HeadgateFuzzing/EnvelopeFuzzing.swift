internal import HeadgateConfiguration
internal import HeadgateDialects
internal import HeadgateRelay

/// Checks how the gateway reads the members of a request, and that its edits leave the others unchanged.
enum EnvelopeFuzzing {
    private static let rules = ParameterRewriting(
        ParameterRules(
            defaults: [.init(name: "temperature", json: Array("0.5".utf8))],
            overrides: [.init(name: "top_p", json: Array("1".utf8))], strip: ["user", "seed"]))

    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        guard let envelope = try? RequestEnvelope(input) else { return }
        guard let before = (try? JSONValue(input))?.object else { throw FuzzFinding("read, but no object") }
        let sent = envelope.upstreamBody(model: "inner")
        guard let after = (try? JSONValue(sent))?.object else { throw FuzzFinding("no object is sent") }
        try FuzzFinding.expect(after["model"] == "inner", "another model is sent")
        try FuzzFinding.expect(rest(of: before) == rest(of: after), "another member is changed")
        if envelope.isStream {
            try FuzzFinding.expect(after["stream_options"]?["include_usage"] == true, "usage is not asked for")
        }
        guard let again = try? RequestEnvelope(sent) else { throw FuzzFinding("what is sent is refused") }
        try FuzzFinding.expect(again.isStream == envelope.isStream, "a stream is none any more")
        guard let rewritten = try? rules?.rewritten(sent) else { return }
        guard let members = (try? JSONValue(rewritten))?.object else { throw FuzzFinding("rules leave no object") }
        try FuzzFinding.expect(members["user"] == nil && members["seed"] == nil, "a member is not taken out")
        try FuzzFinding.expect(members["top_p"] == .number("1"), "an override is not there")
        try FuzzFinding.expect(
            members["temperature"] == after["temperature"] ?? .number("0.5"), "a default is not the default")
        try FuzzFinding.expect((try? rules?.rewritten(rewritten)) == rewritten, "rules do not hold of their result")
    }

    private static func rest(of object: JSONObject) -> [JSONObject.Member] {
        object.members.filter { !["model", "stream_options"].contains($0.name) }
    }
}
