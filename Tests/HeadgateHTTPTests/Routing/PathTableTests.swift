import Testing

@testable import HeadgateHTTP

@Suite struct PathTableTests {
    private func number(_ path: String, in table: PathTable) -> Int? {
        Array(path.utf8).withUnsafeBytes(table.number)
    }

    @Test func pathsAreNumberedInOrder() {
        var table = PathTable()
        #expect(["/b", "/a", "/longer", "/b", ""].map { table.insert($0) } == [0, 1, 2, 0, 3])
        #expect(["/a", "/b", "/longer", ""].map { number($0, in: table) } == [1, 0, 2, 3])
    }

    @Test(arguments: ["/c", "/A", "/longer/", "/longes", "a", "/"])
    func otherPathHasNone(path: String) {
        var table = PathTable()
        for path in ["/a", "/b", "/longer"] { _ = table.insert(path) }
        #expect(number(path, in: table) == nil)
        #expect(number(path, in: PathTable()) == nil)
    }
}
