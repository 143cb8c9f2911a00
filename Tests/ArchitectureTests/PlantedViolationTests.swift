import Testing

/// Each rule finds the violation planted for it, and accepts similar code without one.
@Suite struct PlantedViolationTests {
    private let table = [Layer(target: "Low"), Layer(target: "High", uses: ["Low"])]

    private func file(_ text: String, path: String = "Sources/Low/A.swift") -> SourceFile {
        SourceFile(path: path, text: text)
    }

    @Test(arguments: [
        "import High", "package import High", "@testable import High", "@_spi(Some) public import High",
        "    internal import struct High.Value", "import High.Nested", "@preconcurrency import func High.call",
    ])
    func importOutsideTheTableIsFound(statement: String) throws {
        let found = ImportRules.outsideTheTable([file("import HeadgateLibC\n\(statement)\n")], layers: table)
        let violation = try #require(found.first)
        #expect(found.count == 1)
        #expect(violation.line == 2)
        #expect(violation.message.hasPrefix("Low may import HeadgateLibC, Synchronization, not High"))
    }

    @Test func importInTheTableOrInProseIsAllowed() {
        let prose = "// import High\n/*\nimport High\n*/\nlet text = \"\"\"\n    import High\n    \"\"\"\n"
        #expect(ImportRules.outsideTheTable([file(prose)], layers: table).isEmpty)
        let high = file("package import Low\n", path: "Sources/High/Deep/B.swift")
        #expect(ImportRules.outsideTheTable([high], layers: table).isEmpty)
    }

    @Test(arguments: ["import Foundation", "import class Foundation.JSONDecoder", "public import FoundationNetworking"])
    func fullFoundationIsFound(statement: String) {
        #expect(ImportRules.foundation([file("\(statement)\n")]).count == 1)
        #expect(ImportRules.foundation([file("import FoundationEssentials\n")]).isEmpty)
        let transport = file("\(statement)\n", path: "Sources/HeadgateClientURLSession/A.swift")
        #expect(ImportRules.foundation([transport]).isEmpty)
    }

    @Test(arguments: [
        "int fd = accept4(a, 0, 0, 0);", "#include <linux/sockios.h>", "readlink(\"/proc/self/exe\", path, 10)",
        "socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);", "send(a, b, c, Int32(MSG_NOSIGNAL))",
    ])
    func linuxOnlyCodeIsFound(line: String) {
        let path = "Sources/CLow/low"
        #expect(PortabilityRules.linuxOnly([file("int a;\n\(line)\n", path: path + ".c")]).map(\.line) == [2])
        #expect(PortabilityRules.linuxOnly([file("\(line)\n", path: path + "+Linux.c")]).isEmpty)
        #expect(PortabilityRules.linuxOnly([file("// \(line)\nint accept_all;\n", path: path + ".c")]).isEmpty)
    }

    @Test(arguments: ["internal import Glibc", "    import Musl", "Glibc.close(descriptor)"])
    func libraryUnderOneSystemsNameIsFound(line: String) {
        let text = "// import Glibc\nimport HeadgateLibC\n\(line)\n"
        #expect(PortabilityRules.libraryByItsName([file(text)]).map(\.line) == [3])
        #expect(PortabilityRules.libraryByItsName([file(text, path: "Sources/HeadgateLibC/A.swift")]).isEmpty)
    }

    @Test func fullFoundationIsAllowedWithoutEssentials() {
        func found(_ condition: String) -> [Int] {
            let text = "\(condition)\n    import Foundation\n#else\n    import Foundation\n#endif\nimport Foundation\n"
            return ImportRules.foundation([file(text)]).compactMap(\.line)
        }
        #expect(found("#if canImport(FoundationEssentials)") == [2, 6])
        #expect(found("#if os(Linux)") == [2, 4, 6])
    }

    @Test func layerThatPointsUpwardsOrAtItselfIsFound() {
        #expect(ImportRules.upwards(table).isEmpty)
        #expect(ImportRules.upwards([Layer(target: "Low", uses: ["High"]), Layer(target: "High")]).count == 1)
        #expect(ImportRules.upwards([Layer(target: "Low", uses: ["Low"])]).count == 1)
    }

    @Test func referenceToAHigherFolderIsFound() {
        let low = file("struct Low {\n    let high: High\n}\n", path: "Sources/M/Low/Low.swift")
        let high = file("package final class High {\n    let low: Low // Other\n}\n", path: "Sources/M/High/High.swift")
        let references = FolderRules.references(in: [low, high])
        #expect(Set(references.map { "\($0.file.path): \($0.name)" }) == ["\(high.path): Low", "\(low.path): High"])
        #expect(FolderRules.pointingUp(references, floors: ["Low", "High"]).map(\.path) == [low.path])
        #expect(FolderRules.withoutFloor([low, high], floors: ["Low"]).map(\.path) == [high.path])
        #expect(FolderRules.largestCircle(of: references) == [high.path, low.path])
        #expect(FolderRules.largestCircle(of: references.filter { $0.file.path == low.path }).isEmpty)
    }

    @Test func secondOrderOfMiddlewareIsFound() {
        let gate = file("struct Gate: ServerGate {\n}\n", path: "Sources/M/Gates/Gate.swift")
        let own = file("let own = Gate(limit: 1)\n", path: "Sources/M/Gates/Own.swift")
        let others = ["[Gate(limit: 1)]", "limit.map(Gate.init)", "Gates(limit: 1)"].map {
            file("let gates = \($0)\n", path: "Sources/M/Other/Other.swift")
        }
        #expect(ChainRules.madeElsewhere([gate, own]).isEmpty)
        #expect(others.map { ChainRules.madeElsewhere([gate, $0]).count } == [1, 1, 0])
    }

    @Test(arguments: [
        ("/// What is left.", 1), ("    /// Of the target.", 1), ("/// For whom it is.", 1), ("// Nobody reads it.", 1),
        ("let a = 1  // in octets", 1), ("/// Whose part is left.", 0), ("let what = \"nobody\"", 0),
        ("// RFC 9110: a sequence of octets", 0), ("/// An `application/octet-stream`.", 0),
    ])
    func awkwardCommentIsFound(_ line: String, _ count: Int) {
        #expect(BanRules.awkwardComments([file(line, path: "Sources/HeadgateGateway/A.swift")]).count == count)
        #expect(BanRules.awkwardComments([file(line, path: "Tests/ATests/A.swift")]).isEmpty)
    }

    @Test func tooLongAFileIsFound() {
        let lines = String(repeating: "\n", count: SizeRules.longest)
        #expect(SizeRules.tooLong([file(lines)]).isEmpty)
        #expect(SizeRules.tooLong([file(lines + "x")]).count == 1)
        #expect(SizeRules.tooLong([file(lines + "x", path: "Sources/Low/Generated/A.swift")]).isEmpty)
    }

    @Test(arguments: [
        ("// é", "x", 1), ("/// ", "x", 1), ("let a = b ", "+", 1), ("let a = \"", "x", 0), ("    \"", "é", 0),
        ("let a = \"\"  // ", "x", 1),
    ])
    func tooWideALineIsFound(start: String, filling: String, count: Int) {
        let full = start + String(repeating: filling, count: SizeRules.columns - start.count)
        #expect(SizeRules.tooWide([file("\(full)\n")]).isEmpty)
        #expect(SizeRules.tooWide([file("\n\(full)\(filling)\n")]).map(\.line) == Array(repeating: 2, count: count))
        #expect(SizeRules.tooWide([file(full + filling, path: "Sources/Low/Generated/A.swift")]).isEmpty)
        #expect(SizeRules.tooWide([file(full + filling, path: "Sources/Low/a.h")]).count == 1)
    }

    @Test func tooWideALineOfADocumentIsFound() {
        let full = String(repeating: "x", count: SizeRules.columns)
        #expect(SizeRules.tooWide("a.md", "\(full)\n| \(full) |\n```\n\(full)x\n```\n").isEmpty)
        #expect(SizeRules.tooWide("a.md", "\(full)\n\n- \(full)\n").map(\.line) == [3])
    }

    @Test func highMedianIsFound() {
        let (short, long) = (file("\n"), file(String(repeating: "\n", count: SizeRules.highestMedian + 1)))
        #expect(SizeRules.highMedian([short, short, long]).isEmpty)
        #expect(SizeRules.highMedian([short, long, long]).count == 1)
        #expect(SizeRules.highMedian([]).isEmpty)
    }

    @Test(arguments: [
        "final class Mine: @unchecked Sendable {}", "extension Mine: @unchecked Sendable {}",
        "struct EventLoop {}\nstruct Mine<Value>:\n    Equatable,\n    @unchecked Sendable\n{}",
    ])
    func uncheckedSendableOutsideTheListIsFound(declaration: String) {
        let found = UncheckedSendable.outsideTheList([file(declaration)])
        #expect(found.count == 1)
        #expect(found.first?.message.hasPrefix("Mine is") == true)
    }

    @Test func staleNameInTheListOfUncheckedSendableIsFound() {
        let used = UncheckedSendable.allowed.keys.map { file("final class \($0): @unchecked Sendable {}") }
        #expect(UncheckedSendable.outsideTheList(used).isEmpty)
        #expect(UncheckedSendable.stale(used).isEmpty)
        #expect(UncheckedSendable.stale(Array(used.dropFirst())).count == 1)
    }

    @Test(arguments: ["print(1)", "    Swift.print(1)", "if x { debugPrint(x) }", "dump (x)"])
    func printIsFound(statement: String) {
        #expect(BanRules.prints([file(statement)]).count == 1)
        #expect(BanRules.prints([file(statement, path: "Sources/HeadgateCommand/A.swift")]).isEmpty)
    }

    @Test(arguments: ["log.print(1)", "blueprint(1)", "// print(1)", "let x = \"print(1)\""])
    func lookalikesOfPrintAreAllowed(statement: String) {
        #expect(BanRules.prints([file(statement)]).isEmpty)
    }

    @Test func forcedTryIsFound() {
        #expect(BanRules.forcedTries([file("let x = try! f()")]).count == 1)
        #expect(BanRules.forcedTries([file("let x = try? f()  // not try!")]).isEmpty)
    }

    @Test(arguments: ["let count = Mutex(0)", "let lines: Mutex<[String]>", "Synchronization.Mutex (0)"])
    func mutexIsFound(declaration: String) {
        #expect(BanRules.mutexes([file(declaration)]).count == 1)
        #expect(BanRules.mutexes([file("let count = Locked(0)  // not Mutex(0)")]).isEmpty)
    }

    @Test(arguments: [
        "let promptTokens = 0", "func allows(model: String)", "case anthropicVersion", "/// The tokens so far.",
        "let path = \"/v1/models\"", "isOpenAIRoute", "struct LLMRequest",
    ])
    func wordOfModelsInHTTPIsFound(line: String) {
        #expect(BanRules.wordsOfModels([file(line, path: "Sources/HeadgateHTTP/A.swift")]).count == 1)
        #expect(BanRules.wordsOfModels([file(line)]).isEmpty)
    }

    @Test(arguments: ["let isToken = true", "completion(modelled)", "let chatter = 1"])
    func otherWordInHTTPIsAllowed(line: String) {
        #expect(BanRules.wordsOfModels([file(line, path: "Sources/HeadgateHTTP/A.swift")]).isEmpty)
    }

    @Test func unfinishedWorkWithoutAnIssueIsFound() {
        #expect(BanRules.looseEnds([file("// TODO: later"), file("/* a FIXME */"), file("/// TODO #")]).count == 3)
        #expect(BanRules.looseEnds([file("// TODO(#12): later"), file("let x = \"TODO\"")]).isEmpty)
    }

    @Test func differencesOfManifestAndTableAreFound() {
        let text = """
            let other = Target.Dependency.product(name: "Other", package: "elsewhere")
            // source("Commented"),
            .target(name: "Low"),
            source(
                "High",
                ["Low", other]),
            tests("LowTests", ["Low"]),
            """
        let manifest = Manifest(text)
        #expect(manifest.sources == ["Low": [], "High": ["Low", "Other"]])
        #expect(manifest.tests == ["LowTests"])
        let agreeing = [table[0], Layer(target: "High", uses: ["Low", "Other"])]
        #expect(ManifestRules.differences(manifest, layers: agreeing).isEmpty)
        #expect(ManifestRules.differences(manifest, layers: table).map(\.path) == ["Package.swift"])
        #expect(ManifestRules.differences(manifest, layers: [table[0]]).map(\.path) == ["Package.swift"])
        let extra = agreeing + [Layer(target: "Gone")]
        #expect(ManifestRules.differences(manifest, layers: extra).map(\.path) == ["Layers.swift"])
    }

    @Test func folderWithoutATargetIsFound() {
        #expect(ManifestRules.unbuilt([file("")], targets: ["Low"]).isEmpty)
        #expect(ManifestRules.unbuilt([file("")], targets: ["High"]).map(\.path) == ["Low"])
    }

    @Test func missingExampleConfigurationIsFound() {
        #expect(ManifestRules.missingExamples(["README.md"]).count == 1)
        #expect(ManifestRules.missingExamples(["minimal.yaml"]).isEmpty)
    }

    @Test(arguments: [
        ("| a | b | `SomeTests.works` | 1 s |", true), ("| a | b | `test_some.test_works` | |", true),
        ("| a | b | no test yet | |", true), ("| a | b | | |", false), ("| a | b | `SomeTests.fails` | |", false),
        ("| a | b | `OtherTests.works` | |", false), ("| a | b | `SomeTests.works`, `SomeTests.work` | |", false),
    ])
    func rowOfAFaultWithoutItsTestIsFound(row: String, isProven: Bool) {
        let tests = [
            (name: "SomeTests", text: "@Test func works() {}"), (name: "test_some", text: "def test_works():"),
        ]
        let found = ReliabilityRules.unproven("# Title\n\n| x | y | z | |\n|---|---|---|---|\n\(row)\n", tests: tests)
        #expect(found.map(\.line) == (isProven ? [] : [5]))
    }
}
