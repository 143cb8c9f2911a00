/// A multipart form as a sequence of parts.
///
/// A form made from an array can be read any number of times. A received form can be read once, and only one task can
/// read it at a time. The content of a part can be read until the next part is requested.
///
/// - Throws: ``RequestViolation`` on a server, or ``MultipartFormError`` on a client, if a part violates the document;
///   errors of the body.
public struct MultipartBody<Part: MultipartFormPart>: AsyncSequence, ExpressibleByArrayLiteral {
    /// A part of the form.
    public typealias Element = Part

    private enum Source {
        case parts([Part])
        case arriving(MultipartSource)
    }

    private let source: Source

    /// Creates a form of parts, in their order.
    public init(_ parts: some Sequence<Part>) { source = .parts(Array(parts)) }
    /// Creates a form of parts, in their order.
    public init(arrayLiteral parts: Part...) { source = .parts(parts) }

    init(_ source: MultipartSource) { self.source = .arriving(source) }

    /// Creates an iterator over the form.
    public func makeAsyncIterator() -> AsyncIterator {
        switch source {
        case .parts(let parts): AsyncIterator(parts: parts[...], source: nil)
        case .arriving(let source): AsyncIterator(parts: [], source: source)
        }
    }

    /// An iterator over a form.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var parts: ArraySlice<Part>
        fileprivate let source: MultipartSource?

        /// Returns the next part; nil after the last.
        public mutating func next() async throws -> Part? {
            guard let source else { return parts.popFirst() }
            guard let raw = try await source.nextPart(Part.rules) else { return nil }
            do { return try Part(decoding: raw) } catch {
                throw source.failure("The part '\(raw.name ?? "")' is not what it should be: \(error)")
            }
        }
    }

    // MARK: Writing

    /// Returns the form as a body, which is whole if all parts are.
    ///
    /// - Throws: ``MultipartFormError`` if a part is missing, repeated or has no name, or an error of encoding.
    func encoded(_ boundary: String) throws -> HTTPBody {
        guard case .parts(let parts) = source else { return .stream(MultipartFormBody(self, boundary)) }
        var seen: Set<String> = []
        var bytes: [UInt8]? = []
        for part in parts {
            let raw = try part.encoded()
            if let problem = Part.rules.problem(with: raw.name, after: &seen) { throw MultipartFormError(problem) }
            let head = raw.head(boundary, isFirst: bytes?.isEmpty ?? false)
            if case .bytes(let content) = raw.body { bytes?.append(contentsOf: head + content) } else { bytes = nil }
        }
        if let problem = Part.rules.problem(atEndAfter: seen) { throw MultipartFormError(problem) }
        guard let bytes else { return .stream(MultipartFormBody(self, boundary)) }
        return .bytes(bytes + MultipartRawPart.end(boundary, isFirst: bytes.isEmpty))
    }
}

/// A form that is written part by part as their contents arrive.
private final class MultipartFormBody<Part: MultipartFormPart>: PulledBody {
    // Used by one task at a time, like every pulled body.
    private nonisolated(unsafe) var parts: MultipartBody<Part>.AsyncIterator?
    private nonisolated(unsafe) var content: BodyReader?
    private nonisolated(unsafe) var isFirst = true
    private let boundary: String

    init(_ form: MultipartBody<Part>, _ boundary: String) {
        parts = form.makeAsyncIterator()
        self.boundary = boundary
    }

    func next() async throws -> [UInt8]? {
        if let chunk = try await content?.next() { return chunk }
        content = nil
        guard var iterator = parts else { return nil }
        parts = nil
        defer { isFirst = false }
        guard let part = try await iterator.next() else { return MultipartRawPart.end(boundary, isFirst: isFirst) }
        parts = iterator
        let raw = try part.encoded()
        content = BodyReader(raw.body)
        return raw.head(boundary, isFirst: isFirst)
    }

    func cancel() {
        content?.cancel()
        content = nil
        parts = nil
    }

    func discardRest() { cancel() }
}

extension MultipartRawPart {
    /// Returns the boundary before the part, and its headers.
    fileprivate func head(_ boundary: String, isFirst: Bool) -> [UInt8] {
        var text = "\(isFirst ? "" : "\r\n")--\(boundary)\r\nContent-Disposition: form-data; name=\"\(quoted(name))\""
        if let filename { text += "; filename=\"\(quoted(filename))\"" }
        text += "\r\n"
        for field in headerFields where field.name != .contentDisposition {
            text += "\(field.name.rawName): \(field.value)\r\n"
        }
        return Array((text + "\r\n").utf8)
    }

    fileprivate static func end(_ boundary: String, isFirst: Bool) -> [UInt8] {
        Array("\(isFirst ? "" : "\r\n")--\(boundary)--\r\n".utf8)
    }

    /// Escapes a name as browsers do, so that it can end neither its line nor its quotes.
    private func quoted(_ text: String?) -> String {
        let text = text ?? ""
        // Some parsers treat a backslash before the closing quote as an escape.
        if text.hasSuffix("\\") { return quoted(String(text.dropLast())) + "%5C" }
        return text.unicodeScalars.reduce(into: "") { quoted, scalar in
            switch scalar {
            case "\r": quoted += "%0D"
            case "\n": quoted += "%0A"
            case "\"": quoted += "%22"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
    }
}

/// Boundaries of forms.
enum MultipartFormBoundary {
    /// Returns a boundary of 128 random bits, which no content contains by chance.
    static func random() -> String {
        let numbers = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }
        return "form-" + numbers.joined(separator: "-")
    }
}
