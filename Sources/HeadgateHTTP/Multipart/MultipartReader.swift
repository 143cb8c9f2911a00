/// Finds the parts of a `multipart/form-data` body (RFC 7578) as it arrives. Pure; stores no content.
///
/// This is stricter than the standard, so that no server can find other parts in the same bytes. Nothing may precede
/// the first boundary or follow the last one. No bytes may follow a boundary in its line, and the boundary may not
/// occur in a part.
package struct MultipartReader {
    package enum Step: Equatable {
        /// The input is used up.
        case needsMore
        /// A part begins; its content comes next.
        case part(MultipartPartHead)
        /// Range of the part's content, in bytes of the whole body.
        case content(Range<Int>)
        /// The closing boundary has arrived.
        case end
    }

    private enum Phase {
        case opening, afterDelimiter, head, content, epilogue
    }

    package static let maximumParts = 1000
    package static let longestHead = 8 << 10

    private let delimiter: [UInt8]
    /// For each length of a match, the length of the longest shorter match with which it ends.
    private let shorter: [Int]
    private var phase = Phase.opening
    /// Number of bytes of the delimiter that have just been matched.
    private var matched = 0
    /// Number of bytes of the body so far.
    package private(set) var position = 0
    /// Position of the beginning of the line, after CR LF.
    private var lineStart = 0
    private var last: UInt8 = 0
    /// Bytes so far of a part's head, or of a delimiter's line.
    private var gathered: [UInt8] = []
    private var contentStart = 0
    private var parts = 0

    package init(_ boundary: MultipartBoundary) {
        delimiter = Array("--".utf8) + boundary.bytes
        var shorter = [Int](repeating: 0, count: delimiter.count)
        var length = 0
        for index in 1..<delimiter.count {
            while length > 0, delimiter[length] != delimiter[index] { length = shorter[length - 1] }
            if delimiter[length] == delimiter[index] { length += 1 }
            shorter[index] = length
        }
        self.shorter = shorter
    }

    /// Reads up to the next step.
    ///
    /// - Parameter offset: advanced over the bytes that were read.
    package mutating func next(
        _ input: UnsafeRawBufferPointer, _ offset: inout Int
    ) throws(MultipartError) -> Step {
        if phase == .content { return try content(input, &offset) ?? .needsMore }
        while offset < input.count {
            let byte = input[offset]
            offset += 1
            position += 1
            if let step = try take(byte) { return step }
            if phase == .content { return try content(input, &offset) ?? .needsMore }
        }
        return .needsMore
    }

    /// Checks that the body has ended after its closing boundary.
    package func finish() throws(MultipartError) {
        guard phase == .epilogue, gathered.isEmpty || gathered.count == 2 else { throw .unfinished }
    }

    /// Takes one byte outside of a part's content.
    private mutating func take(_ byte: UInt8) throws(MultipartError) -> Step? {
        switch phase {
        case .opening:
            guard byte == delimiter[matched] else { throw .preamble }
            matched += 1
            if matched == delimiter.count { phase = .afterDelimiter }
        case .afterDelimiter:
            gathered.append(byte)
            return gathered.count == 2 ? try lineEnded() : nil
        case .head:
            gathered.append(byte)
            guard gathered.count <= MultipartReader.longestHead else { throw .headTooLarge }
            return try headEnded()
        case .epilogue:
            gathered.append(byte)
            guard gathered == [0x0D] || gathered == [0x0D, 0x0A] else { throw .epilogue }
        case .content: break
        }
        return nil
    }

    /// Handles the two bytes after a boundary.
    private mutating func lineEnded() throws(MultipartError) -> Step? {
        let line = gathered
        gathered = []
        if line == [0x2D, 0x2D] {
            phase = .epilogue
            return .end
        }
        guard line == [0x0D, 0x0A] else { throw .delimiter }
        parts += 1
        guard parts <= MultipartReader.maximumParts else { throw .tooManyParts }
        phase = .head
        return nil
    }

    private mutating func headEnded() throws(MultipartError) -> Step? {
        // The part has no header line.
        guard gathered != [0x0D, 0x0A] else { throw .disposition }
        guard gathered.suffix(4) == [0x0D, 0x0A, 0x0D, 0x0A] else { return nil }
        let part = try MultipartPartHead(head: Array(gathered.dropLast(2)))
        gathered = []
        phase = .content
        (contentStart, lineStart, last, matched) = (position, position, 0x0A, 0)
        return .part(part)
    }

    /// Searches for the boundary that ends the content.
    private mutating func content(
        _ input: UnsafeRawBufferPointer, _ offset: inout Int
    ) throws(MultipartError) -> Step? {
        let before = position - offset
        // Accesses to stored properties are checked, and this runs for every byte.
        var (index, matched, last, lineStart) = (offset, matched, last, lineStart)
        defer {
            (offset, position) = (index, before + index)
            (self.matched, self.last, self.lineStart) = (matched, last, lineStart)
        }
        while index < input.count {
            let byte = input[index]
            index += 1
            if matched == 0, byte != 0x2D, byte != 0x0A {
                last = byte
                continue
            }
            if byte == 0x0A, last == 0x0D { lineStart = before + index }
            last = byte
            while matched > 0, delimiter[matched] != byte { matched = shorter[matched - 1] }
            if delimiter[matched] == byte { matched += 1 }
            guard matched == delimiter.count else { continue }
            let start = before + index - matched
            // The line end before a boundary belongs to it.
            guard start == lineStart, start - 2 >= contentStart else { throw .delimiter }
            phase = .afterDelimiter
            return .content(contentStart..<start - 2)
        }
        return nil
    }
}

/// Reason why a body is not a form that every server reads in the same way.
package struct MultipartError: Error, Equatable {
    /// One sentence for the sender, which never contains input.
    package let explanation: String

    private init(_ explanation: String) { self.explanation = explanation }

    static let preamble = MultipartError("It must begin with its boundary.")
    static let delimiter = MultipartError(
        "Its boundary may stand only at the beginning of a line of its own, and must not occur in a part.")
    static let unfinished = MultipartError("It ends before its closing boundary.")
    static let epilogue = MultipartError("Nothing may follow its closing boundary.")
    static let tooManyParts = MultipartError("It has more than \(MultipartReader.maximumParts) parts.")
    static let headTooLarge = MultipartError("The head of a part is larger than \(MultipartReader.longestHead) bytes.")
    static let head = MultipartError("A part has a header line that is not well-formed.")
    static let disposition = MultipartError(
        "Each part needs one 'Content-Disposition: form-data' with one 'name', in double quotes or none, without "
            + "escapes."
    )
    static let encoding = MultipartError("A part must not have a 'Content-Transfer-Encoding'.")
}
