import Testing

@Suite struct LexedTests {
    @Test(arguments: [
        (#"a // b"#, "a     "),
        (#"a /* b /* c */ d */ e"#, "a                   e"),
        (#"a("b // c", d)"#, "a(        , d)"),
        (#"a("\"b\\", d)"#, "a(       , d)"),
        (##"a(#"b\"# , d)"##, "a(       , d)"),
        (#"a("\(b ?? "//")", d)"#, "a(              , d)"),
        ("a(\"b\nc", "a(  \nc"),
        ("a\"\"\"\nb\"c\n\"\"\"d", "a   \n   \n   d"),
    ])
    func stringsAndCommentsAreNotCode(text: String, code: String) {
        #expect(Lexed(text).text(of: [.code]) == code)
    }

    @Test func commentsAndStringsAreDistinguished() {
        let lexed = Lexed(#"let a = "b"  // c"#)
        #expect(lexed.text(of: [.string]) == #"        "b"      "#)
        #expect(lexed.lines(of: [.comment]) == ["             // c"])
    }
}
