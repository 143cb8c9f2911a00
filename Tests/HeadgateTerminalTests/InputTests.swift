import HeadgateTerminal
import Testing

@Suite struct ChatInputTests {
    @Test(
        arguments: [
            ("", .nothing), ("  \n ", .nothing), ("  Hello \n there \n", .prompt("  Hello \n there")),
            ("/new", .command(.new, argument: "")), ("/Model  gpt 5 ", .command(.model, argument: "gpt 5")),
            ("/system two\nlines", .command(.system, argument: "two\nlines")), ("/nwe x", .unknownCommand("nwe")),
            ("/set top_p 0.5", .command(.set, argument: "top_p 0.5")), ("/continue", .command(.continue, argument: "")),
            ("/", .unknownCommand("")), ("//etc/passwd", .prompt("/etc/passwd")), ("a /new", .prompt("a /new")),
        ] as [(String, ChatInput)])
    func commandsAreDistinguishedFromPrompts(text: String, input: ChatInput) {
        #expect(ChatInput(text) == input)
    }
}

@Suite struct PromptAssemblyTests {
    @Test(
        arguments: [
            (["one"], "one"), (["one\\", "two"], "one\ntwo"), (["one\\\\"], "one\\\\"), (["a\\", "", "b"], "a\n"),
            (["\"\"\"", "one", "", "two\"\"\""], "one\n\ntwo"), (["\"\"\"one", "two\\", "\"\"\""], "one\ntwo\\"),
            (["\"\"\"one\"\"\""], "one"), (["\"\"\"\"\"\""], ""), (["a\"\"\""], "a\"\"\""),
            (["\"\"\"doc\nb\\"], "\"\"\"doc\nb\\"), (["a\\", "b\nc"], "a\nb\nc"),
        ] as [([String], String)])
    func linesBecomeAPrompt(lines: [String], prompt: String) {
        var assembly = PromptAssembly()
        var result: String?
        for line in lines where result == nil { result = assembly.add(line) }
        #expect(result == prompt)
        #expect(!assembly.isOpen)
    }

    @Test func clearedConversationIsForgotten() {
        var assembly = PromptAssembly()
        #expect(assembly.add("\"\"\"") == nil)
        #expect(assembly.isOpen)
        assembly.clear()
        #expect(assembly.add("one") == "one")
    }
}

@Suite struct HistoryLineTests {
    @Test(arguments: ["", "one", "one\ntwo\n", #"\"#, #"C:\new\\n"#, "wörld 🌍\n\\"])
    func everyPromptIsReadBack(prompt: String) {
        let line = HistoryLine.encode(prompt)
        #expect(!line.contains("\n"))
        #expect(HistoryLine.decode(line) == prompt)
    }
}
