/// A received multipart form, read part by part by one task only.
final class MultipartSource {
    /// Maximum bytes of a part that is decoded. Content that is passed on as bytes has no limit here.
    private static let decodingLimit = 16 << 20

    private let body: BodyReader
    private var reader: MultipartReader
    /// Number of bytes at the end of the received content that might belong to a boundary.
    private let longestBoundary: Int
    private let isRequest: Bool
    private var chunk: [UInt8] = []
    private var offset = 0
    /// Received content of the current part that has not been passed on.
    private var held: [UInt8] = []
    private var isInPart = false
    private var isOver = false
    /// First failure, which every later call throws again.
    private var broken: (any Error)?
    private var seen: Set<String> = []
    /// Number of the current part.
    fileprivate private(set) var number = 0

    /// - Parameter isRequest: Whether a server reads the form.
    init(_ body: HTTPBody, _ boundary: MultipartBoundary, isRequest: Bool) {
        self.body = BodyReader(body)
        self.isRequest = isRequest
        reader = MultipartReader(boundary)
        longestBoundary = boundary.text.utf8.count + 4
    }

    func failure(_ text: String) -> any Error {
        isRequest ? RequestViolation.invalidBody(text) : MultipartFormError(text)
    }

    /// Skips the rest of the current part, and returns the next part; nil after the last.
    ///
    /// - Throws: ``failure(_:)``, or an error of the body.
    func nextPart(_ rules: MultipartRules) async throws -> MultipartRawPart? {
        while isInPart { _ = try await nextContent() }
        while !isOver {
            guard case .part(let head)? = try await step() else { continue }
            if let problem = rules.problem(with: head.name, after: &seen) { throw failure(problem) }
            isInPart = true
            number += 1
            var part = MultipartRawPart(
                name: head.name, filename: head.filename, body: .stream(MultipartContent(self, number)))
            for header in head.headers {
                guard let name = HTTPField.Name(header.name), name != .contentDisposition else { continue }
                part.headerFields.append(HTTPField(name: name, value: header.value))
            }
            if rules.isJSON(head.name) {
                part.body = .bytes(try await part.body.collect(upTo: MultipartSource.decodingLimit))
            }
            return part
        }
        if let problem = rules.problem(atEndAfter: seen) { throw failure(problem) }
        return nil
    }

    /// Returns the next bytes of the current part; nil after its last.
    fileprivate func nextContent() async throws -> [UInt8]? {
        while isInPart {
            let count: Int
            if case .content(let range)? = try await step() {
                isInPart = false
                count = range.upperBound - (reader.position - held.count)
            } else {
                count = held.count - longestBoundary
            }
            guard count > 0 || !isInPart else { continue }
            let content = Array(held.prefix(count))
            held.removeFirst(isInPart ? count : held.count)
            return content.isEmpty ? nil : content
        }
        return nil
    }

    /// Reads to the next step, or to the end of the received bytes; nil at the end of the body.
    private func step() async throws -> MultipartReader.Step? {
        if let broken { throw broken }
        do {
            if offset == chunk.count {
                guard let next = try await body.next() else {
                    isOver = true
                    try reader.finish()
                    return nil
                }
                (chunk, offset) = (next, 0)
            }
            return try advance()
        } catch {
            let error = (error as? MultipartError).map { failure($0.explanation) } ?? error
            broken = error
            throw error
        }
    }

    private func advance() throws(MultipartError) -> MultipartReader.Step {
        let start = offset
        let step = try chunk.withUnsafeBufferPointer { bytes throws(MultipartError) in
            try reader.next(UnsafeRawBufferPointer(bytes), &offset)
        }
        if isInPart { held += chunk[start..<offset] }
        return step
    }

    func cancel() {
        isOver = true
        isInPart = false
        body.cancel()
    }
}

/// The content of one part of a received form.
private final class MultipartContent: PulledBody {
    // Used by one task at a time, like every pulled body.
    private nonisolated(unsafe) let source: MultipartSource
    private let number: Int
    private nonisolated(unsafe) var isOver = false

    init(_ source: MultipartSource, _ number: Int) {
        self.source = source
        self.number = number
    }

    func next() async throws -> [UInt8]? {
        if isOver { return nil }
        guard number == source.number else {
            throw source.failure("The content of a part can be read only until the next part is requested.")
        }
        let bytes = try await source.nextContent()
        isOver = bytes == nil
        return bytes
    }

    /// Ends the content. The rest of the part is skipped when the next one is requested.
    func cancel() { isOver = true }
    func discardRest() { cancel() }
}
