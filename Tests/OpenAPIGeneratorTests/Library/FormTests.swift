import HTTPTypes
import HeadgateHTTP
import Testing

@testable import HeadgateOpenAPI

/// Forms written by generated code, which are read back unchanged. The types are those of `21-composed.yaml`.
@Suite struct FormTests {
    typealias SendForm = Operations.SendForm
    typealias Part = SendForm.Input.Body.MultipartFormPayload

    static var meta: Part { .meta(.init(payload: .init(body: .init(b: 1)))) }

    static func file(_ body: HTTPBody) -> Part {
        .file(.init(payload: .init(headers: .init(xSize: 4), body: body), filename: "a \"b\".png"))
    }

    private func input(_ parts: [Part]) -> SendForm.Input { SendForm.Input(body: .multipartForm(.init(parts))) }

    /// Returns a body that streams these chunks.
    private static func stream(_ chunks: [[UInt8]]) -> HTTPBody {
        HTTPBody(
            AsyncStream<[UInt8]> { continuation in
                for chunk in chunks { continuation.yield(chunk) }
                continuation.finish()
            })
    }

    /// Returns the parts that a server reads, as text.
    private func read(_ body: HTTPBody, contentType: String) async throws -> [String] {
        let request = HTTPRequest(
            method: .post, scheme: nil, authority: nil, path: "/forms", headerFields: [.contentType: contentType])
        let input = try SendForm.Input(decoding: MessageRoundTripTests.received(request, body))
        guard case .multipartForm(let form) = input.body else { return [] }
        var parts: [String] = []
        for try await part in form {
            switch part {
            case .file(let part):
                let text = try await String(collecting: part.payload.body, upTo: 100_000)
                parts.append("file \(part.filename ?? "") \(part.payload.headers.xSize ?? 0) \(text)")
            case .meta(let part): parts.append("meta \(part.payload.body.b)")
            case .tags(let part): parts.append("tags \(try await String(collecting: part.payload.body, upTo: 100))")
            case .note(let part): parts.append("note \(try await String(collecting: part.payload.body, upTo: 100))")
            case .undocumented(let part):
                let text = try await String(collecting: part.body, upTo: 100)
                parts.append("\(part.name ?? "") \(part.headerFields[.contentType] ?? "") \(text)")
            }
        }
        return parts
    }

    private func read(_ text: String) async throws -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
        return try await read(HTTPBody(lines), contentType: "multipart/form-data; boundary=b")
    }

    @Test(arguments: [true, false])
    func formIsReadBackUnchanged(isWhole: Bool) async throws {
        let content = Array("\r\n--form-\r\nsome".utf8)
        let file =
            isWhole
            ? HTTPBody.bytes(content) : FormTests.stream([Array(content.prefix(3)), Array(content.dropFirst(3))])
        let outgoing = try input([
            .tags(.init(payload: .init(body: "red"))), FormTests.file(file), FormTests.meta,
            .tags(.init(payload: .init(body: ""))),
            .undocumented(.init(name: "more", headerFields: [.contentType: "text/x"], body: "x")),
        ]).encoded()
        let body = try #require(outgoing.body)
        if isWhole { #expect(body.length != .unknown) }
        let type = try #require(outgoing.request.headerFields[.contentType])
        #expect(
            try await read(body, contentType: type) == [
                "tags red", "file a %22b%22.png 4 \r\n--form-\r\nsome", "meta 1", "tags ", "more text/x x",
            ])
    }

    @Test(arguments: [1, 2, 7, 4096])
    func contentStreamsInEverySplit(size: Int) async throws {
        let content = String(repeating: "0123456789\r\n-", count: 700)
        let body = try #require(try input([FormTests.meta, FormTests.file(HTTPBody(content))]).encoded().body)
        let bytes = try await [UInt8](collecting: body, upTo: 1 << 20)
        let boundary = String(decoding: bytes.dropFirst(2).prefix { $0 != 0x0D }, as: UTF8.self)
        let chunks = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
        let parts = try await read(
            FormTests.stream(chunks), contentType: "multipart/form-data; boundary=\(boundary)")
        #expect(parts == ["meta 1", "file a %22b%22.png 4 \(content)"])
    }

    /// A form with a missing or additional part is an error on both sides.
    @Test func wrongPartsAreRefused() async throws {
        for (parts, problem) in [
            ([FormTests.meta], "The part 'file' is missing."),
            ([FormTests.meta, FormTests.meta, FormTests.file("")], "The part 'meta' occurs twice."),
            ([FormTests.meta, FormTests.file(""), .undocumented(.init(name: nil, body: ""))], "A part has no name."),
        ] {
            #expect(throws: MultipartFormError(problem)) { _ = try input(parts).encoded() }
        }
        let meta = "--b\nContent-Disposition: form-data; name=\"meta\"\n\n{\"b\":1}\n"
        for (form, problem) in [
            (meta + "--b--\n", "The part 'file' is missing."),
            (meta + meta + "--b--\n", "The part 'meta' occurs twice."),
            (meta, "It ends before its closing boundary."), ("text", "It must begin with its boundary."),
        ] {
            await #expect(throws: RequestViolation.invalidBody(problem)) { _ = try await read(form) }
        }
    }

    /// A reader that continues after an error throws the same error again.
    @Test func boundaryInsideAPartEndsTheForm() async throws {
        let body = "--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nx--by"
        let request = HTTPRequest(
            method: .post, scheme: nil, authority: nil, path: "/forms",
            headerFields: [.contentType: "multipart/form-data; boundary=b"])
        let input = try SendForm.Input(decoding: MessageRoundTripTests.received(request, HTTPBody(body)))
        guard case .multipartForm(let form) = input.body else { return #expect(Bool(false)) }
        var parts = form.makeAsyncIterator()
        guard case .file(let file)? = try await parts.next() else { return #expect(Bool(false)) }
        await #expect(throws: RequestViolation.self) { _ = try await file.payload.body.collect(upTo: 100) }
        for _ in 0..<2 { await #expect(throws: RequestViolation.self) { _ = try await parts.next() } }
    }

    @Test func wrongJSONOfAPartIsRefused() async throws {
        let form = "--b\nContent-Disposition: form-data; name=\"meta\"\n\n{\"b\":\"text\"}\n--b--\n"
        do {
            _ = try await read(form)
            Issue.record("the part was accepted")
        } catch RequestViolation.invalidBody(let text) {
            #expect(text.hasPrefix("The part 'meta' is not what it should be"))
        }
    }

    /// The rest of a part is skipped, and can no longer be read.
    @Test func partCanBeLeftUnread() async throws {
        let body = try #require(try input([FormTests.file("content"), FormTests.meta]).encoded().body)
        let boundary = String(
            decoding: try await [UInt8](collecting: body, upTo: 1000).dropFirst(2).prefix { $0 != 0x0D }, as: UTF8.self)
        let request = HTTPRequest(
            method: .post, scheme: nil, authority: nil, path: "/forms",
            headerFields: [.contentType: "multipart/form-data; boundary=\(boundary)"])
        let input = try SendForm.Input(decoding: MessageRoundTripTests.received(request, body))
        guard case .multipartForm(let form) = input.body else { return }
        var parts = form.makeAsyncIterator()
        guard case .file(let file)? = try await parts.next() else { return #expect(Bool(false)) }
        guard case .meta? = try await parts.next() else { return #expect(Bool(false)) }
        await #expect(throws: RequestViolation.self) { _ = try await file.payload.body.collect(upTo: 100) }
        #expect(try await parts.next() == nil)
    }

    @Test func responseHasPartsOfAnyName() async throws {
        typealias Answer = SendForm.Output.Ok.Body.MultipartFormPayload
        let form: MultipartBody<Answer> = [.other(.init(payload: .init(body: .init(b: 2)), name: "any"))]
        let (response, body) = try SendForm.Output.ok(.init(body: .multipartForm(form))).encoded()
        let output = try await SendForm.Output(decoding: IncomingResponse(response, body))
        var names: [String] = []
        for try await case .other(let part) in try output.ok.body.multipartForm {
            names.append("\(part.name ?? "") \(part.payload.body.b)")
        }
        #expect(names == ["any 2"])
    }
}

/// The `Accept` header of a client. The types are those of `21-composed.yaml`.
@Suite struct AcceptTests {
    typealias SendForm = Operations.SendForm

    private func accept(_ headers: SendForm.Input.Headers) throws -> String? {
        try SendForm.Input(headers: headers, body: .multipartForm([FormTests.file("f"), FormTests.meta])).encoded()
            .request
            .headerFields[.accept]
    }

    @Test func headerHasTheCallersMediaTypes() throws {
        #expect(try accept(.init()) == "multipart/form-data, application/json")
        #expect(
            try accept(
                .init(accept: [
                    .init(contentType: .multipartForm), .init(contentType: .applicationProblemJson, quality: 0.5),
                ]))
                == "multipart/form-data, application/problem+json; q=0.5")
        #expect(try accept(.init(accept: [.init(contentType: .other("a/b"))])) == "a/b")
        #expect(try accept(.init(accept: [])) == nil)
    }

    @Test func serverReadsTheHeader() throws {
        func accepted(_ text: String?) throws -> [AcceptHeaderContentType<SendForm.AcceptableContentType>] {
            var request = HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/forms")
            request.headerFields[.accept] = text
            return try SendForm.Input.Headers(decoding: MessageRoundTripTests.received(request, nil)).accept
        }
        #expect(try accepted(nil) == .defaultValues())
        #expect(
            try accepted("Multipart/Form-Data;q=0.25, */*; q=0, text/x; q=2, ;, application/problem+json;v=1") == [
                .init(contentType: .multipartForm, quality: 0.25), .init(contentType: .other("*/*"), quality: 0.0),
                .init(contentType: .applicationProblemJson),
            ])
    }
}
