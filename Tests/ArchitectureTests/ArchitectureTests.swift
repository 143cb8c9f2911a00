import Testing

/// Rules of the project, checked against its files. `PlantedViolationTests` has an example of what each rule catches.
@Suite struct ArchitectureTests {
    private let sources = Repository.sources
    private let all = Repository.sources + Repository.tests

    @Test func filesAreFound() {
        #expect(!sources.isEmpty)
        #expect(Repository.tests.contains { $0.path == "Tests/ArchitectureTests/ArchitectureTests.swift" })
    }

    @Test func importsAreInTheTableOfLayers() {
        expectNone(ImportRules.outsideTheTable(sources, layers: layers))
    }

    @Test func fullFoundationStaysOut() {
        expectNone(ImportRules.foundation(sources))
    }

    @Test func layersPointDownwards() {
        expectNone(ImportRules.upwards(layers))
    }

    @Test func manifestAndTableOfLayersAgree() throws {
        expectNone(ManifestRules.differences(try Repository.manifest(), layers: layers))
    }

    @Test func everySwiftFileBelongsToATarget() throws {
        let manifest = try Repository.manifest()
        expectNone(ManifestRules.unbuilt(sources, targets: Set(manifest.sources.keys)))
        expectNone(ManifestRules.unbuilt(Repository.tests, targets: manifest.tests))
    }

    @Test func foldersImportOnlyLowerFolders() {
        let modules = Dictionary(grouping: sources, by: \.target)
        #expect(Set(FolderRules.floors.keys).isSubset(of: modules.keys))
        for (target, files) in modules {
            let floors = FolderRules.floors[target] ?? []
            expectNone(FolderRules.withoutFloor(files, floors: floors))
            expectNone(FolderRules.pointingUp(FolderRules.references(in: files), floors: floors))
        }
    }

    @Test func orderOfTheChainsIsInOnePlace() {
        let files = sources.filter { ["HeadgateRelay", "HeadgateGateway"].contains($0.target) }
        #expect(ChainRules.composers.isSubset(of: files.map(\.path)))
        expectNone(ChainRules.madeElsewhere(files))
    }

    @Test func filesFormNoLargeCycles() {
        for (target, files) in Dictionary(grouping: sources, by: \.target) {
            let circle = FolderRules.largestCircle(of: FolderRules.references(in: files))
            #expect(circle.count <= FolderRules.largestCircle, "\(target): \(circle.joined(separator: " "))")
        }
    }

    @Test func noFileIsTooLong() {
        expectNone(SizeRules.tooLong(all))
    }

    @Test func noLineIsTooWide() {
        #expect(Repository.compiled.contains { $0.path.hasSuffix(".h") })
        expectNone(SizeRules.tooWide(Repository.compiled))
    }

    @Test func noLineOfADocumentIsTooWide() throws {
        let documents = Repository.names(in: "docs").filter { $0.hasSuffix(".md") }.map { "docs/\($0)" }
        let decisions = Repository.names(in: "docs/decisions").map { "docs/decisions/\($0)" }
        // A benchmark writes docs/performance.md.
        let written = Set(documents + decisions + ["README.md"]).subtracting(["docs/performance.md"])
        #expect(written.count > 30)
        expectNone(try written.sorted().flatMap { SizeRules.tooWide($0, try Repository.text($0)) })
    }

    @Test func medianFileIsShort() {
        expectNone(SizeRules.highMedian(sources))
    }

    @Test func uncheckedSendableIsRare() {
        expectNone(UncheckedSendable.outsideTheList(sources))
    }

    @Test func everyUncheckedSendableOfTheListExists() {
        expectNone(UncheckedSendable.stale(sources))
    }

    @Test func onlyCommandsPrint() {
        expectNone(BanRules.prints(sources))
    }

    @Test func noTryIsForced() {
        expectNone(BanRules.forcedTries(sources))
    }

    @Test func threadSanitizerUnderstandsEveryLock() {
        expectNone(BanRules.mutexes(all))
    }

    @Test func httpModulesNeverMentionModels() {
        expectNone(BanRules.wordsOfModels(sources))
    }

    @Test func linuxOnlyCodeIsInSeparateFiles() {
        expectNone(PortabilityRules.linuxOnly(Repository.compiled))
    }

    @Test func theCLibraryHasOneName() {
        expectNone(PortabilityRules.libraryByItsName(Repository.compiled))
    }

    @Test func commentsAreInPlainWords() {
        expectNone(BanRules.awkwardComments(sources))
    }

    @Test func unfinishedWorkNamesItsIssue() {
        expectNone(BanRules.looseEnds(all))
    }

    @Test func exampleConfigurationExists() {
        expectNone(ManifestRules.missingExamples(Repository.names(in: "config")))
    }

    @Test func everyReliabilityRowNamesAnExistingTest() throws {
        let text = try Repository.text(ReliabilityRules.document)
        let tests = Repository.texts(under: "Tests", endings: [".swift", ".py"])
        #expect(tests.contains { $0.name == "ArchitectureTests" })
        expectNone(ReliabilityRules.unproven(text, tests: tests))
    }

    @Test func everyNameInTheRequestFlowIsInTheSources() throws {
        let text = try Repository.text("docs/request-flow.md")
        let named = Set(text.matches(of: #/`([A-Z]\w+)`/#).map { String($0.1) })
        #expect(named.count > 60)
        let declared = sources.flatMap { file in
            file.code.flatMap { $0.text.matches(of: #/(?:class|struct|enum|protocol) (\w+)/#).map { String($0.1) } }
        }
        let folders = sources.flatMap { $0.path.split(separator: "/").map(String.init) }
        #expect(named.subtracting(declared).subtracting(folders).subtracting(["FolderRules"]).sorted() == [])
        #expect(text.split { $0.isWhitespace }.count <= 1800)
    }

    private func expectNone(_ violations: [Violation], sourceLocation: SourceLocation = #_sourceLocation) {
        for violation in violations {
            Issue.record("\(violation.description)", sourceLocation: sourceLocation)
        }
    }
}
