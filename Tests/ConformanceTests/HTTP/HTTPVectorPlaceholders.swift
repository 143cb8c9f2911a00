/// Replaces the placeholders in the input of a case. Text in braces that is not a placeholder does not change.
struct HTTPVectorPlaceholders: Sendable {
    enum Failure: Error, Equatable {
        /// A span is opened or closed twice, is not opened or not closed, or contains its own length.
        case badSpan(Int)
    }

    private enum Token {
        case bytes([UInt8])
        case spanStart(Int)
        case spanEnd(Int)
        case spanLength(Int, isHexadecimal: Bool)
    }

    let port: UInt16
    let key: String
    let body: [UInt8]

    init(port: UInt16, key: String, body: String) {
        self.port = port
        self.key = key
        self.body = [UInt8](body.utf8)
    }

    /// Returns the bytes of each part. A span can start in one part and end in another.
    func expand(_ parts: [[UInt8]]) throws -> [[UInt8]] {
        let tokens = parts.map(tokens(of:))
        let lengths = try spanLengths(tokens.flatMap { $0 })
        return try tokens.map { part in
            try part.reduce(into: []) { output, token in
                switch token {
                case .bytes(let bytes): output += bytes
                case .spanStart, .spanEnd: break
                case .spanLength(let name, let isHexadecimal):
                    guard let length = lengths[name] else { throw Failure.badSpan(name) }
                    output += String(length, radix: isHexadecimal ? 16 : 10).utf8
                }
            }
        }
    }

    private func tokens(of input: [UInt8]) -> [Token] {
        var tokens: [Token] = []
        var literal: [UInt8] = []
        var index = 0
        while index < input.count {
            if input[index] == UInt8(ascii: "{"), let (token, end) = placeholder(in: input, at: index) {
                tokens += [.bytes(literal), token]
                literal = []
                index = end
            } else {
                literal.append(input[index])
                index += 1
            }
        }
        return tokens + [.bytes(literal)]
    }

    /// Returns the placeholder whose opening brace is at `start`, and its end.
    private func placeholder(in input: [UInt8], at start: Int) -> (Token, end: Int)? {
        // The repeated byte can itself be a brace, so the search for the closing brace starts after it.
        let first = start + 2
        guard first < input.count, let close = input[first...].prefix(400).firstIndex(of: UInt8(ascii: "}")) else {
            return nil
        }
        let end = close + 1
        if input[first] == UInt8(ascii: "*") {
            guard let digits = String(validating: input[(first + 1)..<close], as: UTF8.self),
                DecimalNumber(digits) != nil, let count = Int(digits), count <= 64 << 20
            else { return nil }
            return (.bytes([UInt8](repeating: input[start + 1], count: count)), end)
        }
        guard let name = String(validating: input[(start + 1)..<close], as: UTF8.self) else { return nil }
        if let span = span(name) { return (span, end) }
        return value(name).map { (.bytes([UInt8]($0)), end) }
    }

    private func span(_ name: String) -> Token? {
        func token(_ digit: Character?, _ make: (Int) -> Token) -> Token? {
            digit.flatMap(\.wholeNumberValue).flatMap { (1...9).contains($0) ? make($0) : nil }
        }
        switch (name.count, name) {
        case (2, _) where name.hasPrefix("<"): return token(name.last) { .spanStart($0) }
        case (2, _) where name.hasSuffix(">"): return token(name.first) { .spanEnd($0) }
        case (4, _) where name.hasPrefix("LEN"): return token(name.last) { .spanLength($0, isHexadecimal: false) }
        case (5, _) where name.hasPrefix("XLEN"): return token(name.last) { .spanLength($0, isHexadecimal: true) }
        default: return nil
        }
    }

    private func value(_ name: String) -> [UInt8]? {
        let half = body.count / 2
        switch name {
        case "HOST": return [UInt8]("127.0.0.1:\(port)".utf8)
        case "KEY": return [UInt8](key.utf8)
        case "BODY": return body
        case "BODY_A": return [UInt8](body[..<half])
        case "BODY_B": return [UInt8](body[half...])
        case "XLENU": return [UInt8](DecimalNumber(body.count).hexadecimal.uppercased().utf8)
        case "XLEN_A": return [UInt8](DecimalNumber(half).hexadecimal.utf8)
        case "XLEN_B": return [UInt8](DecimalNumber(body.count - half).hexadecimal.utf8)
        default: break
        }
        let terms = name.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
        guard let plus = terms.count == 2 ? DecimalNumber(terms[1]) : DecimalNumber(0) else { return nil }
        switch terms[0] {
        case "PORT": return [UInt8]((DecimalNumber(Int(port)) + plus).decimal.utf8)
        case "LEN": return [UInt8]((DecimalNumber(body.count) + plus).decimal.utf8)
        case "XLEN": return [UInt8]((DecimalNumber(body.count) + plus).hexadecimal.utf8)
        default: return nil
        }
    }

    private func spanLengths(_ tokens: [Token]) throws -> [Int: Int] {
        var open: [Int: Int] = [:]
        var lengths: [Int: Int] = [:]
        var position = 0
        for token in tokens {
            switch token {
            case .bytes(let bytes):
                position += bytes.count
            case .spanStart(let name):
                guard open[name] == nil, lengths[name] == nil else { throw Failure.badSpan(name) }
                open[name] = position
            case .spanEnd(let name):
                guard let start = open.removeValue(forKey: name) else { throw Failure.badSpan(name) }
                lengths[name] = position - start
            case .spanLength(let name, _):
                // The length has a width that is known only after the spans, so a span cannot contain it.
                guard open.isEmpty else { throw Failure.badSpan(name) }
            }
        }
        if let name = open.keys.first { throw Failure.badSpan(name) }
        return lengths
    }
}
