internal import HeadgateDialects
internal import ServerSentEvents

/// Checks that the translations of requests, whole responses and streams can be read, for every pair of formats.
///
/// The first byte selects the pair.
enum TranslationFuzzing {
    private static func pair(_ octet: UInt8) -> (client: ClientFormat, wire: WireFormat) {
        let clients = ClientFormat.allCases
        let number = Int(octet)
        return (clients[number % clients.count], WireFormat.allCases[number / clients.count % 3])
    }

    static func requests(_ input: [UInt8]) throws(FuzzFinding) {
        guard let first = input.first else { return }
        let (client, wire) = pair(first)
        var target = TargetTraits(model: "inner")
        target.isOpenAIsOwn = first & 0x80 == 0
        target.provider = "p1"
        guard
            let request = try? RequestTranslation.translate(
                Array(input.dropFirst()), from: client, to: wire, for: target)
        else { return }
        guard let written = (try? JSONValue(request.body))?.object else { throw FuzzFinding("no object is written") }
        try FuzzFinding.expect(written["model"] == "inner", "another model is written")
        let names = written.members.map(\.name)
        try FuzzFinding.expect(Set(names).count == names.count, "a member is there twice: \(names)")
        do throws(TranslationError) {
            _ = try RequestTranslation.translate(request.body, from: ClientFormat(wire), to: wire, for: target)
        } catch {
            throw FuzzFinding("\(client) to \(wire): our own request is refused: \(error)")
        }
    }

    static func responses(_ input: [UInt8]) throws(FuzzFinding) {
        guard let first = input.first else { return }
        let (client, wire) = pair(first)
        guard
            let (bytes, _) = try? ResponseTranslation.translate(
                Array(input.dropFirst()), from: wire, to: client, ResponseContext())
        else { return }
        try FuzzFinding.expect((try? JSONValue(bytes))?.object != nil, "no object is written")
        guard let same = client.wire else { return }
        guard (try? ResponseTranslation.translate(bytes, from: same, to: client, ResponseContext())) != nil else {
            throw FuzzFinding("\(wire) to \(client): our own response is refused")
        }
    }

    /// Translates streams with one event in each line. The highest bit of the first byte selects whether the end is
    /// marked.
    static func streams(_ input: [UInt8]) throws(FuzzFinding) {
        guard let first = input.first else { return }
        let (client, wire) = pair(first & 0x7F)
        var (stream, output) = (StreamTranslation(from: wire, to: client, ResponseContext()), [UInt8]())
        do {
            for line in input.dropFirst().split(separator: 0x0A) where !stream.facts.hasEnded {
                try line.withUnsafeBytes { try stream.receive($0, into: &output) }
            }
            if !stream.facts.hasEnded { _ = try stream.end(isMarked: first & 0x80 != 0, into: &output) }
        } catch {}
        // The response is only requested after a good end, because items are incomplete before it.
        if stream.facts.hasEnded, let response = stream.response {
            try FuzzFinding.expect((try? JSONValue(response))?.object != nil, "the response is no object")
        }
        guard client.wire != nil else {
            for line in output.split(separator: 0x0A) {
                try FuzzFinding.expect((try? JSONValue(Array(line)))?.object != nil, "a line is no object")
            }
            return try FuzzFinding.expect(output.last ?? 0x0A == 0x0A, "the last line has no end")
        }
        try checkEvents(output)
    }

    private static func checkEvents(_ output: [UInt8]) throws(FuzzFinding) {
        var (parser, faults) = (ServerSentEventParser(), [String]())
        do {
            try output.withUnsafeBytes { bytes in
                try parser.parse(bytes) { event in
                    if event.data.elementsEqual("[DONE]".utf8) { return }
                    guard let object = (try? JSONValue(event.data))?.object else { return faults.append("no object") }
                    guard let type = object["type"]?.string, !event.name.isEmpty else { return }
                    if !event.name.elementsEqual(type.utf8) { faults.append("the event's name is not its type") }
                }
            }
            try parser.finish { _ in faults.append("an event does not end") }
        } catch { faults.append("\(error)") }
        try FuzzFinding.expect(faults.isEmpty, faults.joined(separator: ", "))
    }
}
