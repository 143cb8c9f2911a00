import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct FormModelTests {
    private static func read(_ pieces: [ArraySlice<UInt8>]) -> Result<FormModel.Found?, GatewayError> {
        Result { () throws(GatewayError) in
            guard let boundary = MultipartBoundary(contentType: SampleForm.contentType) else { return nil }
            var model = FormModel(boundary)
            for piece in pieces {
                try piece.withUnsafeBufferPointer { (bytes) throws(GatewayError) in
                    try model.read(UnsafeRawBufferPointer(bytes))
                }
            }
            try model.finish()
            return model.found
        }
    }

    /// Returns the code of the error, or the message if it has none.
    private func refusal(_ form: String) -> String? {
        guard case .failure(let error) = Self.read([Array(form.utf8)[...]]) else { return nil }
        return error.code ?? error.message
    }

    @Test(arguments: [true, false]) func modelIsFoundInEverySplitOfTheForm(_ isFirst: Bool) throws {
        let form = SampleForm.recording(model: "org/ä", isModelFirst: isFirst).whole
        let bytes = Array(form.utf8)
        let found = try #require(try Self.read([bytes[...]]).get())
        #expect(found.name == "org/ä" && Array(bytes[found.range]) == Array("org/ä".utf8))
        for split in bytes.indices {
            #expect(try Self.read([bytes[..<split], bytes[split...]]).get() == found, "split at \(split)")
        }
        #expect(try Self.read(bytes.indices.map { bytes[$0...$0] }).get() == found)
    }

    @Test(arguments: [
        "", " ", "a\u{7}b", "a\r\nb", String(repeating: "m", count: 513), String(repeating: "m", count: 100_000),
    ])
    func invalidModelNameIsRefused(_ value: String) {
        let isBlank = value == " "
        #expect((refusal(SampleForm().part("model", value).whole) == nil) == isBlank)
        let longest = String(repeating: "m", count: 512)
        #expect(refusal(SampleForm().part("model", longest).whole) == nil)
    }

    @Test func invalidUTF8IsNotAModelName() throws {
        var bytes = Array(SampleForm().part("model", "m").whole.utf8)
        let found = try #require(try Self.read([bytes[...]]).get())
        bytes[found.range.lowerBound] = 0xFF
        let error = #expect(throws: GatewayError.self) { try Self.read([bytes[...]]).get() }
        #expect(error?.parameter == "model" && error?.status == 400)
    }

    @Test(arguments: ["Model", "MODEL", "model[]", "model[0]", "_charset_", "_CHARSET_"])
    func ambiguousModelPartIsRefused(_ name: String) {
        let form = SampleForm().part(name, "m")
        #expect(refusal(form.part("model", "m").whole) == "ambiguous_member")
        #expect(refusal(form.whole) == "ambiguous_member")
    }

    @Test func modelIsOnePartWithoutAFileName() {
        let two = SampleForm().part("model", "m").part("prompt", "p").part("model", "n")
        #expect(refusal(two.whole) == "duplicate_member")
        #expect(refusal(SampleForm().part("model", "m", fileName: "a").whole) == "ambiguous_member")
        #expect(refusal(SampleForm().part("models", "m").whole)?.contains("'model' is missing") == true)
    }

    @Test func nonFormIsRefused() {
        let form = SampleForm().part("model", "m")
        #expect(refusal(form.text) == "invalid_form")
        #expect(refusal("\r\n" + form.whole) == "invalid_form")
        #expect(refusal("") == "invalid_form")
    }
}
