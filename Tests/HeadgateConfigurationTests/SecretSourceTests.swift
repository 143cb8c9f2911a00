import HeadgateConfiguration
import HeadgateTesting
import Testing

@Suite struct SecretSourceTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func text(_ secret: String) -> String {
        "upstreams: {u: {kind: openai, base_url: 'https://h', api_key: \(secret)}}"
    }

    private func key(_ bytes: [UInt8]) throws -> Result<Secret?, ConfigurationError> {
        let path = try folder.file("key", bytes)
        do throws(ConfigurationError) {
            let text = text("{file: \(path)}")
            return .success(
                try Configuration.parse(text: text, file: "t.yaml", environment: [:]).upstreams[0].apiKeys.first)
        } catch {
            return .failure(error)
        }
    }

    @Test(arguments: ["sk-1", "sk-1\n", "sk-1\r\n"])
    func aNewlineAtTheEndDoesNotCount(_ content: String) throws {
        #expect(try key(Array(content.utf8)).get() == Secret("sk-1"))
    }

    @Test(arguments: [
        ([], "the file is empty"), (Array("\n".utf8), "the file is empty"), (Array("a\n\n".utf8), "copy it again"),
        ([0xFF, 0x61], "not UTF-8"), ([UInt8](repeating: 0x61, count: 8193), "larger than 8 KiB"),
        ([UInt8](repeating: 0x61, count: 1 << 20), "larger than 8 KiB"),
    ])
    func otherFilesAreRefused(_ bytes: [UInt8], _ reason: String) throws {
        let result = try key(bytes)
        guard case .failure(let error) = result else {
            Issue.record("loads")
            return
        }
        #expect(error.issues.count == 1)
        #expect(error.issues.first?.message.contains(reason) == true, "\(error)")
        #expect(error.issues.first?.position == SourcePosition(line: 1, column: 70))
    }

    @Test func aLongSecretCanEndInANewline() throws {
        let bytes = [UInt8](repeating: 0x61, count: 8192)
        #expect(try key(bytes + [0x0D, 0x0A]).get() == Secret(bytes))
    }

    @Test func aSystemdCredentialIsReadFromItsFolder() throws {
        _ = try folder.file("openai", "sk-2\n")
        let environment = ["CREDENTIALS_DIRECTORY": folder.path]
        #expect(
            try parse(text("{credential: openai}"), environment: environment).upstreams[0].apiKeys == [Secret("sk-2")])
        for name in ["../key", "/etc/passwd", ".", "..", "''", "none"] {
            let found = issues(text("{credential: \(name)}"), environment: environment)
            #expect(found.count == 1)
            #expect(found.first?.hasPrefix("t.yaml:1:76: error: credential: ") == true, "\(found)")
        }
        #expect(issues(text("{credential: openai}")).first?.contains("CREDENTIALS_DIRECTORY is not set") == true)
    }

    @Test func headersCanBeSecretsToo() throws {
        let path = try folder.file("h", "a b\n")
        let text = "upstreams: {u: {kind: openai, base_url: 'https://h', headers: {A: {file: '${P}'}}}}"
        #expect(try parse(text, environment: ["P": path]).upstreams[0].headers == [.init(name: "A", value: "a b")])
    }

    @Test(arguments: [
        ("{}", "63: error: api_key: found a mapping, expected {file: PATH} or {credential: NAME}"),
        ("{file: /a, credential: b}", "64: error: api_key: a file and a credential: keep one of them"),
        ("{fil: /a}", "64: error: unknown key \"fil\": did you mean \"file\"?"),
        ("{file: relative}", "70: error: file: expected an absolute path such as /run/secrets/openai"),
        ("{file: /nonexistent/hunter2}", "70: error: file: there is no such file: check the path"),
        (
            "{file: /dev/zero}",
            "70: error: file: this is not a regular file: give the path of a file that holds the secret"
        ),
        (
            "[a]",
            "63: error: api_key: found a list, expected a key such as \"${OPENAI_API_KEY}\", {file: PATH} "
                + "or {credential: NAME}"
        ),
    ])
    func sourceMistakes(_ secret: String, _ issue: String) {
        #expect(issues(text(secret)) == ["t.yaml:1:" + issue])
    }

    /// Each file is small enough, but together they could take any amount of memory.
    @Test func filesAreNotLargerTogetherThanAConfiguration() throws {
        let path = try folder.file("large", [UInt8](repeating: 0x61, count: 8192))
        func text(_ count: Int) -> String {
            let headers = (0..<count).map { "A\($0): {file: \(path)}" }.joined(separator: ", ")
            return "upstreams: {u: {kind: openai, base_url: 'https://h', headers: {\(headers)}}}"
        }
        #expect(issues(text(128)).isEmpty)
        let found = issues(text(130))
        #expect(found.count == 2)
        #expect(found.allSatisfy { $0.contains("the files make the configuration larger than 1 MiB: shorten them") })
    }
}
