/// Why a body is no form that every server reads in the same way.
package struct MultipartError: Error, Equatable {
    /// One sentence for who sent it. Never holds input.
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
