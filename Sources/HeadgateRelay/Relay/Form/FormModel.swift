internal import HeadgateHTTP

/// Incremental parser that finds the part `model` of a form and rejects a form with more than one. Pure.
package struct FormModel {
    package struct Found: Equatable {
        let name: String
        /// Byte range of the name within the whole body.
        let range: Range<Int>
    }

    /// Maximum bytes of a model name.
    static let longest = 512

    /// Model that the form names; nil until its part is complete.
    private(set) var found: Found?
    private var reader: MultipartReader
    private var isInside = false
    /// Content of the part, followed by the start of the next boundary.
    private var value: [UInt8] = []

    init(_ boundary: MultipartBoundary) { reader = MultipartReader(boundary) }

    /// Reads the next chunk.
    ///
    /// - Throws: ``GatewayError`` with status 400. The caller must then send neither this chunk nor anything after it.
    mutating func read(_ chunk: UnsafeRawBufferPointer) throws(GatewayError) {
        var offset = 0
        while true {
            let start = offset
            let step: MultipartReader.Step
            do throws(MultipartError) {
                step = try reader.next(chunk, &offset)
            } catch {
                throw .badForm(error)
            }
            if isInside { try collect(UnsafeRawBufferPointer(rebasing: chunk[start..<offset])) }
            switch step {
            case .needsMore: return
            case .part(let part): try begin(part)
            case .content(let range): try end(at: range)
            case .end: break
            }
        }
    }

    /// Checks at the end of the form that it is complete and names a model.
    func finish() throws(GatewayError) {
        do throws(MultipartError) { try reader.finish() } catch { throw .badForm(error) }
        if found == nil { throw .formWithoutModel }
    }

    private mutating func begin(_ part: MultipartPartHead) throws(GatewayError) {
        guard FormModel.couldBeTheModel(part.name) else { return }
        guard part.name == "model", !part.isFile else { throw .ambiguousPart(part.name) }
        guard found == nil else { throw .twoModels }
        isInside = true
    }

    private mutating func collect(_ chunk: UnsafeRawBufferPointer) throws(GatewayError) {
        // A boundary has up to 74 bytes, including its line end and hyphens.
        guard value.count + chunk.count <= FormModel.longest + 128 else { throw .badFormModel }
        value.append(contentsOf: chunk)
    }

    private mutating func end(at range: Range<Int>) throws(GatewayError) {
        guard isInside else { return }
        isInside = false
        let name = value.prefix(range.count)
        guard (1...FormModel.longest).contains(range.count), name.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
            let text = String(validating: name, as: UTF8.self)
        else { throw .badFormModel }
        found = Found(name: text, range: range)
        value = []
    }

    /// Returns whether a server could read the name as `model`, or could decode the model differently because of it.
    ///
    /// Some servers ignore case or read brackets as a list, and `_charset_` changes the encoding.
    private static func couldBeTheModel(_ name: String) -> Bool {
        let bare = name.prefix { $0 != "[" }.lowercased()
        return bare == "model" || bare == "_charset_"
    }
}

extension GatewayError {
    static func badForm(_ error: MultipartError) -> GatewayError {
        .invalidRequest(400, "The form is refused: \(error.explanation)", code: "invalid_form")
    }

    static let formWithoutModel = GatewayError.invalidRequest(
        400, "The part 'model' is missing: name a model in a part of the form.", parameter: "model")

    static let badFormModel = GatewayError.invalidRequest(
        400, "The part 'model' must be the name of a model, of at most \(FormModel.longest) bytes.", parameter: "model")

    static let twoModels = GatewayError.invalidRequest(
        400, "The part 'model' stands twice in the form.", code: "duplicate_member", parameter: "model")

    static func ambiguousPart(_ name: String) -> GatewayError {
        .invalidRequest(
            400,
            "The part '\(ShownName.text(name))' could be taken for the name of the model: leave it out, or write "
                + "'model', without a file name.",
            code: "ambiguous_member", parameter: "model")
    }

    /// - Parameter limit: maximum bytes before the part `model`.
    static func modelTooLate(limit: Int) -> GatewayError {
        .invalidRequest(
            413,
            "The form has more than \(limit) bytes before its part 'model': put the part 'model' before the file.",
            code: "model_too_late", parameter: "model", cause: .bodyTooLarge)
    }

    static let formWasSent = GatewayError.invalidRequest(
        400, "The form was sent to another upstream already, and is not kept.", code: "form_was_sent")

    static let formNotExplained = GatewayError.invalidRequest(
        400, "Only requests in JSON can be explained, and this is a form: leave out 'x-headgate-explain'.",
        code: "not_explained")
}
