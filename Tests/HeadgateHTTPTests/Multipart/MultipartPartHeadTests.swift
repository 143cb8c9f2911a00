import Testing

@testable import HeadgateHTTP

@Suite struct MultipartPartHeadTests {
    private func part(_ head: String) throws(MultipartError) -> MultipartPartHead {
        try MultipartPartHead(head: Array(head.utf8))
    }

    @Test(arguments: [
        "Content-Disposition: form-data; name=\"model\"\r\n", "content-disposition:form-data;name=model\r\n",
        "CONTENT-TYPE: text/plain; charset=utf-8\r\nContent-Disposition: FORM-DATA ; NAME=\"model\"\r\n",
        "Content-Disposition: form-data; name=\"model\"\r\nContent-Length: 5\r\nContent-Transfer-Encoding: 8bit\r\n",
    ])
    func headsOfKnownClientsAreRead(_ head: String) throws {
        #expect(try part(head).name == "model")
        #expect(try !part(head).isFile)
    }

    @Test(arguments: [
        "form-data; name=\"file\"; filename=\"C:\\a; name=model.mp3\"", "form-data; name=\"file\"; filename=\"Ä.mp3\"",
        "form-data; name=file; filename=a.mp3; filename*=utf-8''a.mp3",
        "form-data; name=\"file\"; filename=\"'it's <a>.mp3'\"",
    ])
    func filesAreKnown(_ disposition: String) throws {
        let part = try part("Content-Disposition: \(disposition)\r\n")
        #expect(part.name == "file" && part.isFile)
    }

    @Test(arguments: [
        "form-data; name=\"a\"; name=\"model\"", "form-data; name=\"a\"; filename=\"x\\\"; name=\"model\"",
        "form-data; name*=utf-8''model", "form-data; name=\"a\"; name*=utf-8''model", "form-data; name=\"mo\\del\"",
        "form-data; name=\"%6dodel\"", "form-data; name=\"\"", "form-data", "attachment; name=\"model\"",
        "form-data; name=\"model", "form-data; name=\"model\" x", "form-data; name = \"model\"",
        "form-data, name=\"model\"",
        "form-data; name=\"mo del\"", "form-data; name=\"modél\"", "form-data; filename=\"a\"",
        "form-data; name='model'", "form-data; name=\"'model'\"", "form-data; name=`model`",
        "form-data; name=\"<model>\"",
        "form-data; name=model'", "form-data; filename=a'b; name=\"x';name=model;y=\"",
        "form-data; name=\"a\"; filename=\"a\"; filename=\"b\"", "form-data; name=\"a\"; size=1",
    ])
    func nameHasOneReading(_ disposition: String) {
        #expect(throws: MultipartError.disposition) { try part("Content-Disposition: \(disposition)\r\n") }
    }

    @Test func linesAreWellFormed() {
        let line = "Content-Disposition: form-data; name=\"a\"\r\n"
        #expect(throws: MultipartError.disposition) { try part(line + line) }
        #expect(throws: MultipartError.disposition) { try part("Content-Type: text/plain\r\n") }
        for folded in [
            line + " x\r\n", "X\r\n" + line, ": x\r\n" + line, "X: a\rb\r\n" + line, "X: a\nb\r\n" + line,
            "X: \0\r\n" + line,
        ] {
            #expect(throws: MultipartError.head, "\(folded)") { try part(folded) }
        }
        for encoding in ["base64", "quoted-printable", "8bit; x=y", ""] {
            #expect(throws: MultipartError.encoding) { try part("Content-Transfer-Encoding: \(encoding)\r\n" + line) }
        }
    }
}
