import HeadgateConfiguration
import HeadgateTesting
import Testing

/// The user's GGUF file as the `model` of `kind: on-device`.
@Suite struct DeviceModelTests {
    private func text(_ path: String, kind: String = "on-device") -> String {
        "upstreams:\n  u: {kind: \(kind), model: '\(path)'}"
    }

    @Test func fileIsServedUnderItsName() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("Qwen2.5 0.5B-Instruct (Q4).GGUF", "GGUF and more")
        let configuration = try parse(text(path))
        #expect(configuration.upstreams[0].deviceModel == path)
        #expect(configuration.models.map(\.name) == ["Qwen2.5-0.5B-Instruct--Q4-"])
        #expect(try parse("upstreams: {u: {kind: on-device}}").models.map(\.name) == ["smollm2"])
    }

    @Test(arguments: [
        ("model.gguf", "relative.gguf", "found \"relative.gguf\", expected an absolute path of a GGUF file"),
        ("model.gguf", "/nowhere/model.gguf", "found \"/nowhere/model.gguf\", there is no such file: check the path"),
    ])
    func pathThatLeadsNowhereIsRefused(_: String, path: String, reason: String) {
        #expect(issues(text(path)).contains { $0.contains("error: model: \(reason)") })
    }

    @Test(arguments: ["", "GGU", "ggml and more"])
    func fileOfAnotherKindIsRefused(content: String) throws {
        let path = try TemporaryFolder()
        let file = try path.file("model.gguf", content)
        #expect(issues(text(file)).contains { $0.contains("error: model: found \"\(file)\", this is no GGUF file") })
    }

    @Test func otherKindsTakeNone() throws {
        let folder = try TemporaryFolder()
        let found = issues(text(try folder.file("m.gguf", "GGUF"), kind: "openai, base_url: 'https://h'"))
        #expect(found.contains { $0.hasSuffix("model: only kind: on-device takes it: remove it") })
    }
}
