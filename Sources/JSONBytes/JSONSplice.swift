/// One replacement in a document: these bytes go, those come.
package struct JSONEdit: Sendable {
    /// Empty to insert before its lower bound.
    package var range: Range<Int>
    package var replacement: [UInt8]

    package init(_ range: Range<Int>, _ replacement: [UInt8]) {
        self.range = range
        self.replacement = replacement
    }
}

/// Copies a document with some of it replaced and every other byte as it was.
package enum JSONSplice {
    /// The document with all edits made, in storage of exactly the needed size.
    ///
    /// The edits are in order and do not overlap; ranges mean the document as given. One that does not fit is ignored.
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

    /// Appends the document with one range replaced: no allocation beyond what `output` needs to grow.
    ///
    /// The document is appended unchanged if the range does not lie in it.
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
