extension Cassette {
    /// Reads a cassette from the text of its file.
    ///
    /// - Throws: ``CassetteError`` for anything that ``text`` would not write. Only the order of the lines above the
    ///   request may differ.
    package init(text: [UInt8]) throws(CassetteError) {
        var reader = try CassetteReader(text)
        self = try reader.cassette()
    }
}

/// Reads the lines of a cassette, one after the other.
private struct CassetteReader {
    private let lines: [ArraySlice<UInt8>]
    /// The index of the next line.
    private var index = 0

    init(_ text: [UInt8]) throws(CassetteError) {
        let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard lines.first.map({ String(decoding: $0, as: UTF8.self) }) == Cassette.firstLine else {
            let isOther = text.starts(with: "headgate-cassette ".utf8)
            throw CassetteError(
                line: 1,
                problem: lines.first?.last == 0x0D
                    ? "the lines end in CR LF: LF alone was written"
                    : isOther ? "this version is not known" : "expected '\(Cassette.firstLine)'")
        }
        guard lines.last?.isEmpty == true else {
            throw CassetteError(line: lines.count, problem: "the last line does not end: the file is not whole")
        }
        self.lines = lines.dropLast()
        index = 1
    }

    private func problem(_ text: String) -> CassetteError { CassetteError(line: index + 1, problem: text) }

    private var next: ArraySlice<UInt8>? { index < lines.count ? lines[index] : nil }

    private var nextText: String? {
        next.flatMap { String(validating: $0, as: UTF8.self) }
    }

    // MARK: The parts

    mutating func cassette() throws(CassetteError) -> Cassette {
        let notes = try notes()
        let request = try request()
        let response = try response()
        let end = try end()
        guard next == nil else { throw problem("nothing may follow the end") }
        guard response != nil || !end.kind.comesAfterHead else {
            index -= 1
            throw problem("'\(end.kind.rawValue)' needs a response before it")
        }
        let path = request.path.prefix { $0 != "?" }
        return Cassette(
            recorded: notes["recorded"], operation: notes["operation"], model: notes["model"],
            route: notes["route"] ?? String(path.hasPrefix("/v1/") ? path.dropFirst(3) : path),
            digest: notes["digest"], request: request, response: response, end: end)
    }

    private static let noteNames = ["recorded", "operation", "model", "route", "digest"]

    private mutating func notes() throws(CassetteError) -> [String: String] {
        var notes: [String: String] = [:]
        while let line = next, !line.isEmpty {
            let (name, value) = try field()
            guard CassetteReader.noteNames.contains(name) else {
                let known = CassetteReader.noteNames.joined(separator: ", ")
                throw problem("expected \(known), or an empty line and the request")
            }
            try checkText(value)
            guard notes.updateValue(value, forKey: name) == nil else { throw problem("'\(name)' stands twice") }
            index += 1
        }
        try emptyLine(before: "the request")
        return notes
    }

    private mutating func request() throws(CassetteError) -> Cassette.Request {
        let words = nextText?.split(separator: " ", omittingEmptySubsequences: false) ?? []
        guard words.count == 2, !words[0].isEmpty, words[0].utf8.allSatisfy({ 0x41...0x5A ~= $0 }),
            words[1].hasPrefix("/")
        else { throw problem("expected a method and a path, such as 'POST /v1/chat/completions'") }
        try checkText(words[1])
        index += 1
        var request = Cassette.Request(method: String(words[0]), path: String(words[1]))
        request.fields = try fields()
        if let line = nextText, line == "body" || line.hasPrefix("body ") {
            if line == "body" {
                index += 1
                request.body = .bytes(try content())
            } else {
                request.body = .leftOut(try leftOut(line.dropFirst(5)))
                index += 1
            }
        }
        try emptyLine(before: "the response or the end")
        return request
    }

    private mutating func response() throws(CassetteError) -> Cassette.Response? {
        guard let line = nextText, !line.hasPrefix("end:") else { return nil }
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[0].utf8.count == 3, let status = CassetteReader.number(words[0]),
            (100...599).contains(status), let framing = Cassette.Framing(rawValue: String(words[1])),
            let milliseconds = CassetteReader.milliseconds(words[2])
        else {
            let framings = Cassette.Framing.allCases.map(\.rawValue).joined(separator: ", ")
            throw problem("expected a status, one of \(framings), and the milliseconds, such as '200 chunked +120'")
        }
        index += 1
        var response = Cassette.Response(status: status, framing: framing, milliseconds: milliseconds)
        response.fields = try fields()
        while let line = next, !line.isEmpty { response.chunks.append(try chunk(after: response.chunks.last)) }
        try emptyLine(before: "the end")
        return response
    }

    private mutating func chunk(after last: Cassette.Chunk?) throws(CassetteError) -> Cassette.Chunk {
        let line = nextText ?? ""
        let time = line.prefix { $0 != " " }
        guard let milliseconds = CassetteReader.milliseconds(time) else {
            throw problem("expected a chunk, such as '+24', and its bytes in lines that begin with |, ^, > or =")
        }
        if let last, milliseconds < last.milliseconds { throw problem("the chunk is earlier than the one before it") }
        if time.count < line.count {
            let octets = try leftOut(line.dropFirst(time.count + 1))
            index += 1
            return Cassette.Chunk(milliseconds: milliseconds, .leftOut(octets))
        }
        index += 1
        return Cassette.Chunk(milliseconds: milliseconds, .bytes(try content()))
    }

    private mutating func end() throws(CassetteError) -> Cassette.End {
        let expected = problem("expected the end, such as 'end: complete +130'")
        guard let line = nextText, line.hasPrefix("end: ") else { throw expected }
        let words = line.dropFirst(5).split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count >= 2, let milliseconds = CassetteReader.milliseconds(words[1]) else { throw expected }
        guard let kind = Cassette.EndKind(rawValue: String(words[0])) else {
            let known = Cassette.EndKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw problem("'\(words[0])' is no end: expected one of \(known)")
        }
        if words.count > 2 { try checkText(words[2]) }
        index += 1
        return Cassette.End(kind, milliseconds: milliseconds, detail: words.count > 2 ? String(words[2]) : "")
    }

    // MARK: Their lines

    private func checkText(_ text: some StringProtocol) throws(CassetteError) {
        guard Cassette.oneLine(String(text)).utf8.elementsEqual(text.utf8) else {
            throw problem("a text has a control character, or a space too many at one of its ends")
        }
    }

    private mutating func emptyLine(before what: String) throws(CassetteError) {
        guard next?.isEmpty == true else { throw problem("expected an empty line before \(what)") }
        index += 1
    }

    private mutating func fields() throws(CassetteError) -> [Cassette.Field] {
        var fields: [Cassette.Field] = []
        while let line = next, line.contains(UInt8(ascii: ":")), line.first.map(CassetteReader.isAlphanumeric) == true,
            !line.starts(with: "body ".utf8)
        {
            let (name, value) = try field()
            fields.append(Cassette.Field(name, value))
            index += 1
        }
        return fields
    }

    private func field() throws(CassetteError) -> (name: String, value: String) {
        guard let line = nextText else { throw problem("the line is not UTF-8") }
        let name = line.prefix { $0 != ":" }
        let value = line.dropFirst(name.count)
        guard Cassette.isFieldName(name), value.hasPrefix(": ") || value == ":" else {
            throw problem("expected a name in lower case, a colon, a space and a value")
        }
        return (String(name), String(value.dropFirst(2)))
    }

    private mutating func content() throws(CassetteError) -> [UInt8] {
        var bytes: [UInt8] = []
        while let line = next, CassetteText.isContent(line) {
            if let text = CassetteText.read(line, into: &bytes) { throw problem(text) }
            index += 1
        }
        return bytes
    }

    private func leftOut(_ text: Substring) throws(CassetteError) -> Int {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 4, words[0] == "left", words[1] == "out:", words[3] == "octets",
            let octets = CassetteReader.number(words[2])
        else { throw problem("expected 'left out: N octets' or nothing") }
        return octets
    }

    private static func milliseconds(_ word: Substring) -> Int? {
        // This limits the delay to about a hundred days, whose nanoseconds fit into an integer.
        word.first == "+" && word.utf8.count <= 11 ? number(word.dropFirst()) : nil
    }

    private static func number(_ word: Substring) -> Int? {
        guard (1...15).contains(word.utf8.count), word.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int(word)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte || 0x30...0x39 ~= byte }
}

extension Cassette {
    /// Returns whether a header with this name can be written. A few valid names would be ambiguous.
    package static func isFieldName(_ name: some StringProtocol) -> Bool {
        guard let first = name.utf8.first, 0x61...0x7A ~= first || 0x30...0x39 ~= first else { return false }
        return name.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != 0x3A && !(0x41...0x5A ~= $0) }
    }
}

extension Cassette.EndKind {
    fileprivate var comesAfterHead: Bool {
        switch self {
        case .complete, .truncatedBody, .silenceTimeout: true
        default: false
        }
    }
}
