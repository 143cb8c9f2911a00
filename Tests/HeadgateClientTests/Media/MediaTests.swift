import Foundation
import HTTPTypes
import HeadgateHTTP
import Testing

@testable import HeadgateClient

/// Images, sound and moderations.
@Suite struct MediaTests {
    private let file = UploadedFile(name: "a\"\r\nb.png", contentType: "image/png", bytes: [0, 255, 13, 10])

    @Test func imageIsGeneratedFromAText() async throws {
        let transport = InMemoryTransport(
            .json(
                #"{"created":5,"usage":{"x":1},"data":[{"b64_json":"AAEC","revised_prompt":"r"},"#
                    + #"{"url":"https://a"}]}"#))
        let request = ImageRequest(model: "m", prompt: "p", count: 2, size: "1x1", additional: ["style": "vivid"])
        let images = try await client(of: transport).images.generate(request)
        #expect(images.images.map(\.bytes) == [[0, 1, 2], nil] && images.images.map(\.url) == [nil, "https://a"])
        #expect(images.images[0].revisedPrompt == "r" && images.created == 5)
        #expect(images.additional == ["usage": ["x": 1]])
        #expect(
            try transport.received[0].json()
                == ["model": "m", "prompt": "p", "n": 2, "size": "1x1", "style": "vivid"])
    }

    @Test func imagesAreEditedWithAForm() async throws {
        let transport = InMemoryTransport(.json(#"{"data":[]}"#))
        let client = try client(of: transport)
        let request = ImageRequest(model: "m", prompt: "p", count: 1)
        _ = try await client.images.edit([file, file], mask: file, with: request)
        _ = try await client.images.vary(file, model: "m", count: 3)
        #expect(transport.received.map { $0.request.path ?? "" } == ["/v1/images/edits", "/v1/images/variations"])
        let type = try #require(transport.received[0].request.headerFields[.contentType])
        let boundary = try #require(type.split(separator: "\"").last)
        let form = transport.received[0].body
        #expect(form.starts(with: "--\(boundary)\r\n".utf8))
        #expect(form.suffix(6).elementsEqual("\(boundary.suffix(2))--\r\n".utf8))
        let text = String(decoding: form, as: UTF8.self)
        #expect(text.contains("name=\"n\"\r\n\r\n1\r\n") && text.contains("name=\"prompt\"\r\n\r\np\r\n"))
        let head = "name=\"image[]\"; filename=\"a%22%0D%0Ab.png\"\r\nContent-Type: image/png\r\n\r\n"
        #expect(text.components(separatedBy: head).count == 3 && text.contains("name=\"mask\"; filename="))
    }

    @Test func formHasTheBytesOfItsFiles() throws {
        var form = MultipartForm(boundary: "B")
        form.add("left out", String?.none)
        form.add("file", file)
        try form.add(["a": 1, "b": "c"])
        let head = "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a%22%0D%0Ab.png\"\r\n"
        let rest =
            "\r\n--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"
            + "--B\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\nc\r\n--B--\r\n"
        let expected = Array("\(head)Content-Type: image/png\r\n\r\n".utf8) + file.bytes + Array(rest.utf8)
        #expect(form.whole == expected)
        #expect(MultipartForm.randomBoundary() != MultipartForm.randomBoundary())
    }

    @Test func combiningMarkSavesNoQuote() {
        var form = MultipartForm(boundary: "B")
        form.add("a\"\u{301}b", "c")
        let expected = "--B\r\nContent-Disposition: form-data; name=\"a%22\u{301}b\"\r\n\r\nc\r\n--B--\r\n"
        #expect(form.whole == Array(expected.utf8))
    }

    private static let sound = PlannedResponse(
        fields: [.contentType: "audio/mpeg"], chunks: [[1, 2], [3]], end: .complete)

    @Test func speechArrivesWholeAndAsAStream() async throws {
        let transport = InMemoryTransport(Self.sound)
        let client = try client(of: transport)
        let request = SpeechRequest(model: "m", text: "t", voice: "v", format: "mp3", speed: 1.5)
        let speech = try await client.audio.speech(request)
        #expect(speech.contentType == "audio/mpeg" && speech.bytes == [1, 2, 3])
        var pieces: [[UInt8]] = []
        for try await piece in client.audio.speechStream(request) { pieces.append(piece) }
        #expect(pieces == [[1, 2], [3]])
        #expect(
            try transport.received[1].json()
                == ["model": "m", "input": "t", "voice": "v", "response_format": "mp3", "speed": 1.5])
    }

    @Test func truncatedSoundIsAnError() async throws {
        var broken = Self.sound
        broken.end = .fail(.truncatedBody)
        let client = try client(of: InMemoryTransport(broken))
        let request = SpeechRequest(model: "m", text: "t", voice: "v")
        await #expect { for try await _ in client.audio.speechStream(request) {} } throws: { error in
            (error as? HeadgateClientError)?.kind == "streamTruncated"
        }
        await #expect(throws: HeadgateClientError.self) { _ = try await client.audio.speech(request) }
    }

    @Test func recordingBecomesText() async throws {
        let answer = #"{"text":"hallo","language":"german","duration":1.5,"segments":[]}"#
        var subtitles = PlannedResponse(fields: [.contentType: "text/vtt"], chunks: [Array("WEBVTT".utf8)])
        subtitles.status = 200
        let transport = InMemoryTransport(.json(answer), subtitles)
        let client = try client(of: transport)
        let recording = UploadedFile(name: "a.wav", contentType: "audio/wav", bytes: [1])
        let options = TranscriptionOptions(language: "de", format: "vtt", temperature: 0)
        let transcription = try await client.audio.transcribe(recording, model: "m", options: options)
        #expect(transcription.text == "hallo" && transcription.language == "german" && transcription.duration == 1.5)
        #expect(transcription.additional == ["segments": []])
        #expect(try await client.audio.translate(recording, model: "m").text == "WEBVTT")
        #expect(
            transport.received.map { $0.request.path ?? "" } == ["/v1/audio/transcriptions", "/v1/audio/translations"])
        let form = String(decoding: transport.received[0].body, as: UTF8.self)
        #expect(form.contains("name=\"language\"\r\n\r\nde\r\n") && form.contains("filename=\"a.wav\""))
    }

    @Test func textsAreModerated() async throws {
        let answer = #"""
            {"id":"i","model":"m","results":[{"flagged":true,"categories":{"violence":true,"illicit":null},
            "category_scores":{"violence":0.9},"category_applied_input_types":{}}]}
            """#
        let transport = InMemoryTransport(.json(answer))
        let moderation = try await client(of: transport).moderations.create(model: "m", texts: ["a"])
        let result = try #require(moderation.results.first)
        #expect(result.isFlagged && result.categories == ["violence": true] && result.scores == ["violence": 0.9])
        #expect(result.additional.keys.sorted() == ["category_applied_input_types"])
        #expect(try transport.received[0].json() == ["model": "m", "input": ["a"]])
    }
}
