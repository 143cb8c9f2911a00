internal import HeadgatePrimitives

/// Style of a parameter with several values.
public enum ParameterStyle: Sendable {
    /// One query item for each element or member.
    case exploded
    /// All values in one text, separated by commas.
    case commas
    /// All values in one text, separated by commas; members are written as `name=value`.
    case assignments
    /// All values in one text, separated by spaces.
    case spaces
    /// All values in one text, separated by vertical bars.
    case bars
    /// One query item for each member, named `name[member]`.
    case deepObject
    /// A path segment: `;name=` and all values, separated by commas.
    case matrix
    /// A path segment: `;name=value` for each element, or `;member=value` for each member.
    case explodedMatrix
    /// A path segment: a dot and all values, separated by commas.
    case label
    /// A path segment: a dot before each element, or before `member=value` for each member.
    case explodedLabel
    /// JSON.
    case json

    /// Returns the names and the percent-encoded texts of a query parameter.
    func items(_ name: String, _ value: some JSONWritable) throws -> [(name: String, text: String)] {
        switch self {
        case .exploded: encoded(try FormValue.of(value)?.exploded(name) ?? [])
        case .deepObject: encoded(try FormValue.of(value)?.bracketed(name) ?? [])
        default: try text(value, in: .query).map { [(name, $0)] } ?? []
        }
    }

    private func encoded(_ items: [(String, String)]) -> [(name: String, text: String)] {
        items.map { ($0, PercentEncoding.encode($1)) }
    }

    /// Returns the text of a parameter, encoded for its location; nil for null. Commas in a value are escaped, so that
    /// they do not separate values.
    ///
    /// - Parameter name: Name of the parameter, which some styles contain.
    /// - Throws: An error of encoding. This includes a space or a bar in a value that these characters separate,
    ///   because it would become two values. It also includes a path segment of only dots, because clients and proxies
    ///   remove it.
    func text(
        _ value: some JSONWritable, in place: RequestViolation.Location, named name: String = ""
    ) throws -> String? {
        if self == .json {
            let text = String(decoding: try JSONBody.write(value), as: UTF8.self)
            return place == .header ? text : PercentEncoding.encode(text)
        }
        guard let parts = try FormValue.of(value) else { return nil }
        if let segment = segment(parts, name) {
            guard segment.replacing("%2E", with: "").contains(where: { $0 != "." }) else {
                throw EncodingError.invalidValue(
                    value, .init(codingPath: [], debugDescription: "a segment of a path is more than dots"))
            }
            return segment
        }
        if self == .assignments, case .members = parts {
            return parts.exploded("").map { name, text in
                "\(place.encode(name).replacing("=", with: "%3D"))=\(place.encode(text))"
            }.joined(separator: ",")
        }
        let texts = parts.texts
        guard isEscapedWhole else { return texts.map(place.encode).joined(separator: ",") }
        if let text = texts.first(where: { $0.contains(separator) }) {
            throw EncodingError.invalidValue(
                text,
                .init(codingPath: [], debugDescription: "'\(separator)' separates the values, so none can hold it"))
        }
        return place.encode(texts.joined(separator: separator))
    }

    /// Returns a whole path segment, in which dots of values are escaped; nil for styles that are not of segments.
    private func segment(_ parts: FormValue, _ name: String) -> String? {
        let encode = { (text: String) in PercentEncoding.encode(text).replacing(".", with: "%2E") }
        let pairs: [String]? =
            if case .members = parts { parts.exploded("").map { "\(encode($0))=\(encode($1))" } } else { nil }
        let texts = parts.texts.map(encode)
        return switch self {
        case .matrix: ";\(encode(name))=\(texts.joined(separator: ","))"
        case .explodedMatrix: (pairs ?? texts.map { "\(encode(name))=\($0)" }).map { ";" + $0 }.joined()
        case .label: "." + texts.joined(separator: ",")
        case .explodedLabel: (pairs ?? texts).map { "." + $0 }.joined()
        default: nil
        }
    }

    /// Reads a value from a whole path segment.
    private func read<Value: Decodable>(segment text: String, _ name: String) throws -> Value {
        let mark = self == .matrix || self == .explodedMatrix ? ";" : "."
        let parts = text.split(separator: mark, omittingEmptySubsequences: false).dropFirst()
        let assignment = name + "="
        let isNamed = parts.allSatisfy {
            ((try? RequestViolation.Location.path.decode(String($0))) ?? "").hasPrefix(assignment)
        }
        guard text.hasPrefix(mark), self != .matrix || parts.count == 1 && isNamed else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "the segment does not begin as its style says"))
        }
        let isList = mark == ";" && isNamed
        let values = isList ? parts.map { $0.drop { $0 != "=" }.dropFirst() } : Array(parts)
        let style = self == .explodedLabel || self == .explodedMatrix && !isList ? ParameterStyle.assignments : .commas
        return try style.read(values.joined(separator: self == .label ? "." : ","), in: .path)
    }

    /// Reads a value from one text in its original form.
    ///
    /// - Parameter name: Name of the parameter, which some styles contain.
    func read<Value: Decodable>(
        _ text: String, in place: RequestViolation.Location, named name: String = ""
    ) throws -> Value {
        switch self {
        case .matrix, .explodedMatrix, .label, .explodedLabel: return try read(segment: text, name)
        default: break
        }
        if self == .json { return try JSONBody.decode(Array((place == .header ? text : try place.decode(text)).utf8)) }
        if isEscapedWhole { return try read(parts: try place.decode(text)) { $0 } }
        do { return try read(parts: text, decoding: place.decode) } catch {
            // Clients that encode a query like a browser also escape the commas between values.
            guard place == .query, !text.contains(","), let all = try? place.decode(text), all.contains(",") else {
                throw error
            }
            return try read(parts: all) { $0 }
        }
    }

    private func read<Value: Decodable>(
        parts text: String, decoding decode: (String) throws -> String
    ) throws -> Value {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
        let texts = try parts.map(decode)
        if let value: Value = try? FormDecoder.decode(
            texts.count == 1 ? .text(texts[0]) : .list(texts.map { .text($0) }))
        {
            return value
        }
        let pairs: [(String, String)] =
            self == .assignments
            ? try parts.map { part in
                let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                return (try decode(halves[0]), try decode(halves.dropFirst().first ?? ""))
            }
            : stride(from: 0, to: texts.count - 1, by: 2).map { (texts[$0], texts[$0 + 1]) }
        return try FormDecoder.decode(.members(FormValue.members(of: pairs)))
    }

    /// Reads a value from the query of a path; nil if the query does not contain the parameter.
    func read<Value: Decodable>(_ name: String, queryOf path: String) throws -> Value? {
        if self != .exploded, self != .deepObject {
            return try RequestQuery.raw(name, of: path).map { try read($0, in: .query) }
        }
        let items = try URLEncodedForm.pairs(Array(path.utf8.drop { $0 != 0x3F }.dropFirst()))
        let isDeep = self == .deepObject
        let own = items.filter { $0.0 == name || isDeep && $0.0.hasPrefix(name + "[") }
        if let value = FormValue.members(of: own)[name] { return try FormDecoder.decode(value) }
        return isDeep ? nil : try members(of: items)
    }

    /// Reads an object whose members are separate items; nil if there are none.
    private func members<Value: Decodable>(of items: [(String, String)]) throws -> Value? {
        guard !items.isEmpty, Value.self != OpenAPIValueContainer.self else { return nil }
        let values = FormValue.members(of: items)
        let reading = FormDecoder.Reading()
        let result = Result { try FormDecoder(.members(values), noting: reading).read() as Value }
        return reading.isOfAll || values.keys.contains(where: reading.names.contains) ? try result.get() : nil
    }

    /// Whether a separator is ambiguous because it is sent without escapes.
    private var isEscapedWhole: Bool { self == .spaces || self == .bars }

    private var separator: String {
        switch self {
        case .spaces: " "
        case .bars: "|"
        default: ","
        }
    }
}

/// Encoding of a text for its location.
extension RequestViolation.Location {
    /// Returns the encoded text. In a header, only commas and percent signs are escaped.
    fileprivate func encode(_ text: String) -> String {
        switch self {
        case .path, .query, .cookie: PercentEncoding.encode(text)
        case .header: text.replacing("%", with: "%25").replacing(",", with: "%2C")
        }
    }

    /// Decodes a value of a header or a cookie, in which escapes are optional. A text without valid escapes is literal.
    fileprivate func decode(_ text: String) throws -> String {
        var text = text
        let decoded = text.withUTF8 { PercentEncoding.decode($0[...], plusIsSpace: self == .query) }
        if let decoded { return decoded }
        if self == .header || self == .cookie { return text }
        throw DecodingError.dataCorrupted(
            .init(codingPath: [], debugDescription: "'\(text)' is no text in percent-encoded UTF-8"))
    }
}
