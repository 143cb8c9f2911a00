/// One replacement in a document.
package struct JSONEdit: Sendable {
    /// The range to replace; an empty range inserts before its lower bound.
    package var range: Range<Int>
    package var replacement: [UInt8]

    package init(_ range: Range<Int>, _ replacement: [UInt8]) {
        self.range = range
        self.replacement = replacement
    }
}

/// Copies a document with replacements and leaves every other byte unchanged.
package enum JSONSplice {
    /// Returns the document with all edits, in storage of exactly the required size.
    ///
    /// The edits must be in order and must not overlap. Their ranges refer to the document as given. An invalid edit is
    /// ignored.
    package static func applying(_ edits: [JSONEdit], to document: UnsafeRawBufferPointer) -> [UInt8] {
        var size = document.count
        for edit in edits { size += edit.replacement.count }
        var output: [UInt8] = []
        output.reserveCapacity(size)
        var position = 0
        for edit in edits where edit.range.lowerBound >= position && edit.range.upperBound <= document.count {
            output.append(contentsOf: UnsafeRawBufferPointer(rebasing: document[position..<edit.range.lowerBound]))
            output.append(contentsOf: edit.replacement)
            position = edit.range.upperBound
        }
        output.append(contentsOf: UnsafeRawBufferPointer(rebasing: document[position...]))
        return output
    }

    /// Appends the document with one range replaced. It allocates only the memory by which `output` grows.
    ///
    /// The document is appended unchanged if the range is not inside it.
    package static func append(
        _ document: UnsafeRawBufferPointer,
        replacing range: Range<Int>,
        with replacement: UnsafeRawBufferPointer,
        to output: inout [UInt8]
    ) {
        guard range.lowerBound >= 0, range.upperBound <= document.count else {
            output.append(contentsOf: document)
            return
        }
        output.append(contentsOf: UnsafeRawBufferPointer(rebasing: document[..<range.lowerBound]))
        output.append(contentsOf: replacement)
        output.append(contentsOf: UnsafeRawBufferPointer(rebasing: document[range.upperBound...]))
    }
}
