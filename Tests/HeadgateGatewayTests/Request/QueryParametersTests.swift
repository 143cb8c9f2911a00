import Testing

@testable import HeadgateRelay

@Suite struct QueryParametersTests {
    @Test(
        arguments: [
            ("/p?a=1", "1"), ("/p?b=2&a=1&c", "1"), ("/p?a=1&a=2", "2"), ("/p?a", ""), ("/p?a=", ""),
            ("/p?a=b=c", "b=c"),
            ("/p?a=1?a=2", "1?a=2"), ("/p?A=1", nil), ("/p", nil), ("/p?", nil), ("/a=1", nil), ("/p?a=%41b", "Ab"),
            ("/p?a=%e2%82%ac", "€"), ("/p?a=%zz", "%zz"), ("/p?a=%4", "%4"), ("/p?a=%", "%"), ("/p?a=%%41", "%A"),
            ("/p?a=%+5", "%+5"), ("/p?a=%-0", "%-0"),
        ] as [(String, String?)])
    func lastValueOfANameCounts(_ path: String, _ value: String?) {
        #expect(QueryParameters(path)["a"] == value)
    }
}

/// The list of members that a translation drops.
@Suite struct DroppedMembersTests {
    private func name(_ count: Int) -> String { String(repeating: "x", count: count) }

    @Test func namesAreListedInVisibleASCII() {
        #expect(DroppedMembers.text([]) == "" && DroppedMembers.text(["a"]) == "a")
        #expect(DroppedMembers.text(["top_k", "a,b c", "!~", "\u{7F}é\n"]) == "top_k, a?b?c, !~, ????")
    }

    @Test(arguments: [(1022, true), (1023, false)]) func oneNameHasALimit(_ count: Int, _ fits: Bool) {
        #expect(DroppedMembers.text([name(count)]) == (fits ? name(count) : ", ..."))
    }

    @Test(arguments: [(1019, true), (1020, false)]) func listHasALimit(_ count: Int, _ fits: Bool) {
        #expect(DroppedMembers.text([name(count), "abc", "d"]) == name(count) + (fits ? ", abc, ..." : ", ..."))
    }
}
