import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Forms in transit; the test controls both ends.
@Suite final class FormUploadTests {
    private final class Receiver: BodySink {
        var text = ""
        var ends: [String] = []
        var whenReceived: () -> Void = {}

        func receive(_ chunk: UnsafeRawBufferPointer) {
            text += String(decoding: chunk, as: UTF8.self)
            whenReceived()
        }
        func finish(_: BodyEnd) { ends.append("finished") }
        func fail(_: any Error) { ends.append("failed") }
    }

    private let source = ManualBody()
    private let upstream = Receiver()
    private let memory = BodyMemory()

    /// A body that a test left open forms a reference cycle with the form.
    deinit { source.cancel() }

    private func form(limit: Int = 1 << 20) throws -> FormUpload {
        let boundary = try #require(MultipartBoundary(contentType: SampleForm.contentType))
        return FormUpload(
            source, boundary: boundary, limit: limit, allowance: BodyAllowance(of: memory, limit: 1 << 20))
    }

    private func find(_ form: FormUpload) -> () -> String? {
        final class Box { var value: String? }
        let box = Box()
        _ = form.findModel { result in
            switch result {
            case .success(let found): box.value = found.name
            case .failure(let error): box.value = (error as? GatewayError)?.label ?? "\(error)"
            }
        }
        return { box.value }
    }

    @Test(arguments: [true, false], [nil, "longer-than-before", "n"])
    func formIsForwardedWithTheUpstreamsModel(_ isFirst: Bool, _ model: String?) throws {
        let sample = SampleForm.recording(model: "mine", isModelFirst: isFirst).whole
        for split in 0...sample.utf8.count {
            let (source, upstream) = (ManualBody(), Receiver())
            let boundary = try #require(MultipartBoundary(contentType: SampleForm.contentType))
            let form = FormUpload(
                source, boundary: boundary, limit: 1 << 20, allowance: BodyAllowance(of: memory, limit: 1 << 20))
            form.name(model)
            _ = form.findModel { _ in form.start(upstream) }
            source.send(String(sample.prefix(split)))
            source.send(String(sample.dropFirst(split)))
            source.finish()
            let wanted = SampleForm.recording(model: model ?? "mine", isModelFirst: isFirst).whole
            #expect(upstream.text == wanted && upstream.ends == ["finished"], "split at \(split)")
        }
        #expect(memory.held == 0)
    }

    @Test func partsAfterTheModelAreNotBuffered() throws {
        let form = try form()
        let found = find(form)
        source.send(SampleForm().part("model", "m").text + "--\(SampleForm.boundary)\r\n")
        #expect(found() == "m" && memory.held > 0)
        form.start(upstream)
        #expect(memory.held == 0)
        let before = upstream.text
        let part = "Content-Disposition: form-data; name=\"file\"\r\n\r\nsound"
        source.send(part)
        #expect(upstream.text == before + part && upstream.ends == [])
    }

    @Test func stalledUpstreamPausesTheClient() throws {
        let form = try form()
        _ = find(form)
        source.send(SampleForm().part("model", "m").text)
        source.send("--\(SampleForm.boundary)\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n")
        // No connection is open yet.
        source.send(String(repeating: "x", count: 300 << 10))
        #expect(source.calls == ["start", "pause"])
        upstream.whenReceived = { form.pause() }
        form.start(upstream)
        #expect(upstream.text.utf8.count == 64 << 10 && source.calls == ["start", "pause"])
        upstream.whenReceived = {}
        form.resume()
        #expect(source.calls == ["start", "pause", "resume"] && memory.held == 0)
        form.pause()
        source.send("late")
        #expect(!upstream.text.hasSuffix("late"))
        form.resume()
        #expect(upstream.text.hasSuffix("late"))
        #expect(source.calls == ["start", "pause", "resume", "pause", "resume"])
    }

    @Test func endWaitsForBufferedBytes() throws {
        let form = try form()
        _ = find(form)
        upstream.whenReceived = { form.pause() }
        source.send(SampleForm.recording(model: "m", sound: String(repeating: "x", count: 100 << 10)).whole)
        form.start(upstream)
        source.finish()
        #expect(upstream.ends == [])
        form.resume()
        form.resume()
        #expect(upstream.ends == ["finished"])
    }

    @Test func tooMuchBeforeTheModelIsRefused() throws {
        let form = try form(limit: 1000)
        let found = find(form)
        source.send(SampleForm().part("file", String(repeating: "x", count: 900)).text)
        #expect(found() == nil)
        source.send(SampleForm().part("file", String(repeating: "x", count: 900)).text)
        #expect(found() == "model_too_late" && memory.held == 0)
        let full = try self.form(limit: 2 << 20)
        let exhausted = find(full)
        source.send(SampleForm().part("file", String(repeating: "x", count: 1 << 20)).text)
        #expect(exhausted()?.contains("Exhausted") == true)
    }

    @Test func partsAfterTheModelAreNotLimited() throws {
        let form = try form(limit: 1000)
        let found = find(form)
        let sound = String(repeating: "x", count: 2000)
        let sample = SampleForm.recording(model: "m", sound: sound).whole
        source.send(sample)
        #expect(found() == "m")
        form.start(upstream)
        source.finish()
        #expect(upstream.text == sample && upstream.ends == ["finished"])
    }

    @Test func faultInTransitNeverCompletesTheUpstreamsForm() throws {
        let form = try form()
        _ = find(form)
        var told: [String] = []
        form.broke = { told.append(($0 as? GatewayError)?.label ?? "\($0)") }
        source.send(SampleForm().part("model", "m").text)
        form.start(upstream)
        let before = upstream.text
        source.send(SampleForm().part("file", "x").part("model", "other").whole)
        #expect(told == ["duplicate_member"] && upstream.text == before && upstream.ends == [])
        source.finish()
        #expect(told.count == 1 && upstream.ends == [])
    }

    @Test func clientDisconnectIsReported() throws {
        let form = try form()
        _ = find(form)
        var told = 0
        form.broke = { _ in told += 1 }
        source.send(SampleForm().part("model", "m").text)
        form.start(upstream)
        source.fail(.truncatedBody)
        #expect(told == 1 && upstream.ends == [])
        let early = try self.form()
        let found = find(early)
        source.fail(.truncatedBody)
        #expect(found() != nil)
    }

    @Test func restIsReadBeforeTheErrorIsSent() throws {
        let form = try form()
        _ = find(form)
        source.send(SampleForm().part("model", "m").text)
        var isRead = false
        form.start(upstream)
        form.pause()
        form.cancel()
        form.discardRest { isRead = true }
        #expect(!isRead && source.calls == ["start", "pause", "resume"])
        source.send("whatever")
        source.finish()
        #expect(isRead && upstream.ends == [])
        form.discardRest { isRead = false }
        #expect(!isRead)
    }

    @Test func disconnectEndsTheWaitForTheRest() throws {
        let form = try form()
        _ = find(form)
        var isRead = false
        form.discardRest { isRead = true }
        source.fail(.cancelled)
        #expect(isRead)
    }

    @Test func formIsForwardedOnce() throws {
        let form = try form()
        _ = find(form)
        source.send(SampleForm.recording(model: "m").whole)
        #expect(!form.hasBegun)
        form.start(upstream)
        #expect(form.hasBegun)
        let second = Receiver()
        form.start(second)
        #expect(second.ends == ["failed"] && second.text == "")
    }

    @Test func longFormCountsAsProgressWhileItArrives() throws {
        let form = try form(limit: 4 << 20)
        _ = find(form)
        source.send(SampleForm().part("model", "m").text)
        form.start(upstream)
        source.send("--\(SampleForm.boundary)\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n")
        for _ in 0..<20 { source.send(String(repeating: "x", count: 128 << 10)) }
        #expect(source.calls == ["start", "content", "content"])
    }
}
