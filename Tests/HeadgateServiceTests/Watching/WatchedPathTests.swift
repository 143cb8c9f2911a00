import HeadgateLibC
import HeadgateTesting
import Testing

@testable import HeadgateService

@Suite struct WatchedPathTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["etc", "..2026_01", "..2026_02", "etc/sub"] { mkdir("\(folder.path)/\(name)", 0o755) }
    }

    private func folders(_ path: String) -> Set<String> {
        Set(WatchedPath.folders(of: path).map { $0.replacing(folder.path, with: "") })
    }

    @Test func plainFileIsNoticedInItsFolder() throws {
        try folder.file("etc/headgate.yaml", "")
        #expect(folders(folder.path + "/etc/headgate.yaml") == ["/etc"])
        #expect(folders(folder.path + "/etc/sub/./../headgate.yaml") == ["/etc"])
    }

    @Test func linksAreWatchedAtTheirPlaceAndTarget() throws {
        // Kubernetes lays out a ConfigMap like this.
        try folder.file("..2026_01/headgate.yaml", "")
        symlink("..2026_01", folder.path + "/..data")
        symlink("../..data/headgate.yaml", folder.path + "/etc/headgate.yaml")
        #expect(folders(folder.path + "/etc/headgate.yaml") == ["/etc", "", "/..2026_01"])
    }

    @Test func missingFileIsNoticedWhenItAppears() {
        #expect(folders(folder.path + "/etc/none.yaml") == ["/etc"])
        #expect(folders(folder.path + "/none/sub/none.yaml") == [""])
        symlink("/etc/nowhere/x", folder.path + "/dangling")
        #expect(WatchedPath.folders(of: folder.path + "/dangling") == [folder.path, "/etc"])
    }

    @Test func linkCycleEnds() {
        symlink("b", folder.path + "/a")
        symlink("a", folder.path + "/b")
        #expect(folders(folder.path + "/a") == [""])
    }

    @Test func everyKindOfChangeIsDetected() throws {
        let path = try folder.file("f", "one")
        var states = [FileState(path)]
        try folder.file("f", "other")
        states.append(FileState(path))
        unlink(path)
        states.append(FileState(path))
        try folder.file("g", "other")
        rename(folder.path + "/g", path)
        states.append(FileState(path))
        chmod(path, 0o600)
        states.append(FileState(path))
        #expect(zip(states, states.dropFirst()).allSatisfy { $0 != $1 })
        #expect(FileState(path) == states.last)
        #expect(FileState("/none") == FileState("/nothing"))
    }
}
