import Testing

@testable import HeadgateDialects

@Suite("Images and documents written for Messages")
struct MessagesMediaTests {
    private func block(_ content: Content) throws -> (text: String, dropped: [String]) {
        let written = try WrittenMessages(ModelRequest([Message(.user, content)]))
        return (written.body["messages"]?.array?.first?["content"]?.array?.first?.text ?? "", written.dropped)
    }

    @Test(
        "are blocks with their source",
        arguments: [
            (
                .image(.data(mediaType: "image/jpg", base64: "AA=="), detail: "auto"),
                #"{"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"AA=="}}"#
            ),
            (
                .image(.url("https://h/a.png"), detail: nil),
                #"{"type":"image","source":{"type":"url","url":"https://h/a.png"}}"#
            ),
            (
                .image(.url("https://h/a.PDF"), detail: nil),
                #"{"type":"document","source":{"type":"url","url":"https://h/a.PDF"}}"#
            ),
            (
                .document(.data(mediaType: "application/pdf", base64: "AA=="), name: "n.pdf"),
                #"{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"AA=="},"title":"n.pdf"}"#
            ),
            (
                .document(.text("t"), name: nil),
                #"{"type":"document","source":{"type":"text","media_type":"text/plain","data":"t"}}"#
            ),
            (
                .document(.data(mediaType: "text/csv", base64: "YSxi"), name: nil),
                #"{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a,b"}}"#
            ),
            (.document(.url("u"), name: ""), #"{"type":"document","source":{"type":"url","url":"u"}}"#),
        ] as [(Content, String)])
    func sources(content: Content, text: String) throws {
        let written = try block(content)
        #expect(written.text == text)
        #expect(written.dropped == [])
    }

    @Test("are refused if the provider would not understand them")
    func refused() throws {
        let contents: [(Content, String)] = [
            (.image(.data(mediaType: "image/bmp", base64: ""), detail: nil), "messages[].content[].image_url"),
            (.image(.file(id: "f"), detail: nil), "messages[].content[].file.file_id"),
            (.document(.file(id: "f"), name: nil), "messages[].content[].file.file_id"),
            (.document(.data(mediaType: "video/mp4", base64: ""), name: nil), "messages[].content[].file"),
        ]
        for (content, member) in contents {
            let error = #expect(throws: TranslationError.self) { try block(content) }
            #expect(error?.member == member)
        }
        #expect(throws: TranslationError.self) {
            try WrittenMessages(ModelRequest([Message(.assistant, .image(.url("u"), detail: nil))]))
        }
    }

    @Test("lose the requested resolution")
    func detail() throws {
        #expect(
            try block(.image(.url("u"), detail: "low")).dropped == ["messages[].content[].image_url.detail"])
    }
}
