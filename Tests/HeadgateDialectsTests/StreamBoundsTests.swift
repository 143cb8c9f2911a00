import Testing

@testable import HeadgateDialects

@Suite("What is held of a stream")
struct StreamBoundsTests {
    @Test("is at most a mebibyte of a provider's own members", arguments: [(1 << 20, true), ((1 << 20) + 1, false)])
    func members(_ size: Int, _ isKept: Bool) {
        var sealing = ResponseSealing(provider: "p")
        let text = String(repeating: "x", count: size - #"{"a":""}"#.utf8.count)
        _ = sealing.sealed([.toolMembers(index: 0, ["a": .string(text)])])
        #expect(sealing.isNeeded(for: []) == isKept)
    }

    @Test("is at most 4 MiB of calls, which weigh 128 bytes each")
    func calls() throws {
        var writer = ChatStreamWriter(Chat.context)
        var output: [UInt8] = []
        for index in 0..<32_768 {
            try writer.write(.toolCall(index: index, id: "c", name: "f", isCustom: false), to: &output)
            output.removeAll(keepingCapacity: true)
        }
        #expect(throws: ResponseFault.oversize) {
            try writer.write(.toolCall(index: 32_768, id: "c", name: "f", isCustom: false), to: &output)
        }
    }

    @Test(
        "is usage without negative counts",
        arguments: [(9, 4, 2, 3), (6, 4, 2, 0), (5, 4, 2, 0), (nil, 4, nil, 0), (3, nil, nil, 3)]
            as [(Int?, Int?, Int?, Int)])
    func usage(_ input: Int?, _ cached: Int?, _ writes: Int?, _ rest: Int) {
        let written = MessagesUsage.written(TokenUsage(input: input, cachedInput: cached, cacheWrites: writes))
        #expect(written["input_tokens"]?.integer == rest)
        #expect(written["cache_read_input_tokens"]?.integer == cached ?? 0)
        #expect(written["cache_creation_input_tokens"]?.integer == writes ?? 0)
    }
}
