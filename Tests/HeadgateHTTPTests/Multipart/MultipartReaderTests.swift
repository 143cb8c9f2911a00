import Testing

@testable import HeadgateHTTP

@Suite struct MultipartReaderTests {
    private static let boundary = "x--x"

    /// Returns all steps of a body in these pieces, including its end.
    private static func steps(_ pieces: [ArraySlice<UInt8>]) -> Result<[MultipartReader.Step], MultipartError> {
        Result { () throws(MultipartError) in
            guard let boundary = MultipartBoundary(contentType: "multipart/form-data; boundary=\(boundary)") else {
                preconditionFailure("the boundary is well-formed")
            }
            var reader = MultipartReader(boundary)
            var steps: [MultipartReader.Step] = []
            for piece in pieces {
                try piece.withUnsafeBufferPointer { (buffer) throws(MultipartError) in
                    var offset = 0
                    while true {
                        let step = try reader.next(UnsafeRawBufferPointer(buffer), &offset)
                        if step == .needsMore { return }
                        steps.append(step)
                    }
                }
            }
            try reader.finish()
            return steps
        }
    }

    /// Reads a body whole, in every split into two, and byte by byte.
    private func read(_ body: String) -> Result<[MultipartReader.Step], MultipartError> {
        let bytes = Array(body.utf8)
        let whole = Self.steps([bytes[...]])
        for split in bytes.indices {
            #expect(Self.steps([bytes[..<split], bytes[split...]]) == whole, "split at \(split)")
        }
        #expect(Self.steps(bytes.indices.map { bytes[$0...$0] }) == whole)
        return whole
    }

    private static func part(_ name: String, _ content: String, more: String = "") -> String {
        "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\(more)\r\n\r\n\(content)\r\n"
    }

    private static let end = "--\(boundary)--\r\n"

    @Test func partsAreFoundWithTheirContents() throws {
        let body =
            Self.part("model", "whisper-1") + Self.part("file", "\r\n-\r\n--x-\r\r\n\n--", more: "; filename=\"a\"")
        let steps = try read(body + Self.end).get()
        let names = steps.compactMap { step in if case .part(let part) = step { part } else { nil } }
        #expect(names.map(\.name) == ["model", "file"] && names.map(\.isFile) == [false, true])
        let contents = steps.compactMap { step in if case .content(let range) = step { range } else { nil } }
            .map { String(decoding: Array(body.utf8)[$0], as: UTF8.self) }
        #expect(contents == ["whisper-1", "\r\n-\r\n--x-\r\r\n\n--"])
        #expect(steps.count == 5 && steps.last == .end)
    }

    @Test func contentCanBeEmptyAndTheLastLineEndMissing() throws {
        let steps = try read(Self.part("a", "") + String(Self.end.dropLast(1))).get()
        #expect(steps.contains { if case .content(let range) = $0 { range.isEmpty } else { false } })
        #expect(try read(Self.end).get() == [.end])
    }

    @Test(arguments: [
        ("\r\n" + part("a", "b") + end, MultipartError.preamble), ("--y--x\r\n", .preamble),
        (part("a", "b"), .unfinished), (String((part("a", "b") + end).dropLast(4)), .unfinished), ("", .unfinished),
        ("--x--x\r\nContent-Disposition: form-data; name=\"a\"\r\n", .unfinished),
        (part("a", "b") + end + "x", .epilogue), (part("a", "b") + "--x--x--\n", .epilogue),
        // Some parsers take these lines for a boundary.
        (part("a", "b\n--x--x") + end, .delimiter), (part("a", "b --x--x c") + end, .delimiter),
        (part("a", "b\r\n--x--xy") + end, .delimiter), ("--x--x \r\n" + end, .delimiter),
        ("--x--x\nContent-Disposition: form-data; name=\"a\"\n\nb\n--x--x--\n", .delimiter),
        // The content of the part shares its line end with the head.
        ("--x--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n--x--x--\r\n", .delimiter),
    ])
    func ambiguousFormIsRefused(_ body: String, _ error: MultipartError) {
        #expect(read(body) == .failure(error))
    }

    @Test func headsAndPartsHaveBounds() throws {
        let room = MultipartReader.longestHead - #"Content-Disposition: form-data; name=""\#r\#n\#r\#n"#.utf8.count
        let longest = Self.part(String(repeating: "n", count: room), "")
        #expect(try Self.steps([Array((longest + Self.end).utf8)[...]]).get().count == 3)
        let tooLong = Self.part(String(repeating: "n", count: room + 1), "")
        #expect(Self.steps([Array((tooLong + Self.end).utf8)[...]]) == .failure(.headTooLarge))
        let many = (0..<MultipartReader.maximumParts).map { _ in Self.part("a", "") }.joined()
        #expect(try Self.steps([Array((many + Self.end).utf8)[...]]).get().count == 2001)
        #expect(Self.steps([Array((many + Self.part("a", "") + Self.end).utf8)[...]]) == .failure(.tooManyParts))
    }
}
