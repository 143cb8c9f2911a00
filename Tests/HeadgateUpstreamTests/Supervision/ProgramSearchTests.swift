import Testing

@testable import HeadgateUpstream

@Suite struct ProgramSearchTests {
    @Test func programIsFoundInPath() {
        #expect(ProgramSearch.find("sh", in: ["PATH": "/nonexistent:/bin"]) == "/bin/sh")
        #expect(ProgramSearch.find("sh", in: [:]) != nil)
        #expect(ProgramSearch.find("sh", in: ["PATH": "/nonexistent"]) == nil)
        #expect(ProgramSearch.find("sh", in: ["PATH": "bin:"]) == nil, "only absolute folders count")
    }

    @Test func pathIsUsedUnchanged() {
        #expect(ProgramSearch.find("/nonexistent/sh", in: [:]) == "/nonexistent/sh")
        #expect(ProgramSearch.find("./sh", in: [:]) == "./sh")
    }

    @Test func providersKeysAreNotInherited() {
        let ours = [
            "PATH": "/bin", "OPENAI_API_KEY": "sk-1", "HF_TOKEN": "hf", "PIP_INDEX_URL": "u", "HEADGATE_KEY": "k",
        ]
        #expect(InheritedEnvironment.from(ours) == ["PATH": "/bin"])
        #expect(InheritedEnvironment.from(ours, also: ["PIP_INDEX_URL"]) == ["PATH": "/bin", "PIP_INDEX_URL": "u"])
    }

    @Test func pausesDoubleUpToHalfAMinute() {
        var backoff = RestartBackoff()
        let pauses = (0..<9).map { _ in backoff.next() / 1_000_000 }
        #expect(pauses == [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000])
        backoff.reset()
        #expect(backoff.next() == 500_000_000)
    }
}
