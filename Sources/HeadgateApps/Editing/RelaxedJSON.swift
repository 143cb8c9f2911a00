import JSONBytes

/// JSON with comments and trailing commas, as editors write it.
enum RelaxedJSON {
    /// Returns the document with spaces instead of comments, in the same length. Commas stay.
    static func withoutComments(_ document: [UInt8]) -> [UInt8] {
        var result = document
        if document.starts(with: [0xEF, 0xBB, 0xBF]) { result.replaceSubrange(0..<3, with: [0x20, 0x20, 0x20]) }
        var index = 0
        while index < result.count {
            switch result[index] {
            case UInt8(ascii: "\""): index = end(ofStringAt: index, in: result)
            case UInt8(ascii: "/") where index + 1 < result.count:
                let end = end(ofCommentAt: index, in: result)
                for place in index..<end where result[place] != 0x0A && result[place] != 0x0D { result[place] = 0x20 }
                index = max(end, index + 1)
            default: index += 1
            }
        }
        return result
    }

    /// Returns the document with a space instead of each comma before a closing bracket.
    ///
    /// - Parameter document: A document without comments.
    static func withoutTrailingCommas(_ document: [UInt8]) -> [UInt8] {
        var result = document
        var comma: Int?
        var index = 0
        while index < result.count {
            let byte = result[index]
            switch byte {
            case UInt8(ascii: "\""):
                comma = nil
                index = end(ofStringAt: index, in: result)
                continue
            case UInt8(ascii: ","): comma = index
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if let comma { result[comma] = 0x20 }
                comma = nil
            case 0x20, 0x09, 0x0A, 0x0D: break
            default: comma = nil
            }
            index += 1
        }
        return result
    }

    /// Returns the document without comments, trailing commas and white space between its tokens.
    static func compact(_ document: [UInt8]) -> [UInt8] {
        let strict = withoutTrailingCommas(withoutComments(document))
        var result: [UInt8] = []
        var index = 0
        while index < strict.count {
            let next =
                strict[index] == UInt8(ascii: "\"") ? min(end(ofStringAt: index, in: strict), strict.count) : index + 1
            if next > index + 1 || ![0x20, 0x09, 0x0A, 0x0D].contains(strict[index]) { result += strict[index..<next] }
            index = next
        }
        return result
    }

    /// Returns the offset after the closing quote, or the end of the document.
    private static func end(ofStringAt start: Int, in document: [UInt8]) -> Int {
        var index = start + 1
        while index < document.count {
            switch document[index] {
            case UInt8(ascii: "\\"): index += 2
            case UInt8(ascii: "\""): return index + 1
            default: index += 1
            }
        }
        return document.count
    }

    /// Returns the offset after the comment; the start if there is none.
    private static func end(ofCommentAt start: Int, in document: [UInt8]) -> Int {
        switch document[start + 1] {
        case UInt8(ascii: "/"):
            return document[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? document.count
        case UInt8(ascii: "*"):
            var index = start + 2
            while index + 1 < document.count {
                if document[index] == UInt8(ascii: "*"), document[index + 1] == UInt8(ascii: "/") { return index + 2 }
                index += 1
            }
            // A comment that does not end is left as it is, which is not valid JSON.
            return start
        default: return start
        }
    }
}
