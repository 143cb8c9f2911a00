import Testing

@testable import HeadgateApps

@Suite struct LineDifferenceTests {
    private func difference(_ old: String, _ new: String) -> String {
        LineDifference.lines(from: old, to: new, path: "file").joined(separator: "\n")
    }

    @Test func equalTextsHaveNone() {
        #expect(difference("a\nb\n", "a\nb\n") == "")
    }

    @Test func changeHasThreeLinesAround() {
        let old = (1...9).map { "\($0)\n" }.joined()
        #expect(
            difference(old, old.replacing("5\n", with: "five\n")) == """
                --- file
                +++ file
                @@ -2,7 +2,7 @@
                 2
                 3
                 4
                -5
                +five
                 6
                 7
                 8
                """)
    }

    @Test func distantChangesAreTwoHunks() {
        let old = (1...20).map { "\($0)\n" }.joined()
        let new = "0\n" + old + "21\n"
        #expect(
            LineDifference.lines(from: old, to: new, path: "file").filter { $0.hasPrefix("@@") }
                == ["@@ -1,3 +1,4 @@", "@@ -18,3 +19,4 @@"])
    }

    @Test func newAndRemovedFilesAreNamed() {
        #expect(difference("", "a\n") == "--- /dev/null\n+++ file\n@@ -0,0 +1 @@\n+a")
        #expect(difference("a\n", "") == "--- file\n+++ /dev/null\n@@ -1 +0,0 @@\n-a")
    }

    @Test func missingLineEndIsShown() {
        #expect(difference("a", "a\n").hasSuffix("-a\n\\ No newline at end of file\n+a"))
    }
}
