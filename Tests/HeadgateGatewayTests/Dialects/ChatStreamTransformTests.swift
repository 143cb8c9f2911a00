import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Complete streams of every shape, split at every byte.
@Suite struct ChatStreamTransformTests {
    private func expectUnchanged(_ stream: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let relayed = Relayed.everyWay(stream, sourceLocation: sourceLocation)
        #expect(relayed.text == stream, sourceLocation: sourceLocation)
        #expect(relayed.end == .finished, sourceLocation: sourceLocation)
    }

    @Test func roleContentEmptyDeltaAndFinishPassInOrder() {
        let empty = #"{"choices":[{"index":0,"delta":{}}]}"#
        expectUnchanged(
            Chunk.events(Chunk.role, Chunk.content("Hel"), empty, Chunk.content("lo"), Chunk.stop) + Chunk.done)
    }

    @Test func factsOfTheStreamAreNoted() {
        let stream =
            Chunk.events(Chunk.role, Chunk.content("a"), Chunk.finish(0, reason: "length"), Chunk.usage) + Chunk.done
        let relayed = Relayed.everyWay(stream)
        #expect(relayed.events == 4)
        #expect(relayed.tokens == [9, 12])
        #expect(relayed.finishReason == "length")
    }

    /// Events that differ only in their texts are counted too, although they are not parsed.
    @Test(arguments: [
        ([Chunk.role, Chunk.stop], 0), ([Chunk.content("a")], 1),
        ([Chunk.content("Hel"), Chunk.content("lo"), Chunk.content("\\u00e9 of 12 octets"), Chunk.content("lo")], 26),
        ([#"{"choices":[{"index":0,"delta":{"reasoning":"hm","reasoning_details":[{"text":"hm"}]}}]}"#], 2),
        ([#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\":1}"}}]}}]}"#], 9),
        ([#"{"choices":[{"index":0,"text":"four"}]}"#], 4),
    ]) func modelOutputIsCounted(_ documents: [String], _ octets: Int) {
        #expect(Relayed.everyWay(documents.map { Chunk.events($0) }.joined()).octets == octets)
    }

    @Test func toolCallFragmentsPass() {
        let first =
            #"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"f","arguments":""}}]}}]}"#
        let second =
            #"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\":"}}]}}]}"#
        expectUnchanged(Chunk.events(first, second, Chunk.finish(0, reason: "tool_calls")) + Chunk.done)
    }

    private func calls(_ calls: String, choice: Int = 0) -> String {
        #"{"choices":[{"index":\#(choice),"delta":{"tool_calls":[\#(calls)]}}]}"#
    }

    /// Gemini sends whole calls without an index, one or several per chunk.
    @Test func callsWithoutAnIndexAreNumberedByTheirIDs() {
        let (a, b) = (#""id":"a","function":{"name":"f"}}"#, #""id":"b","function":{"name":"f"}}"#)
        let more = #""function":{"arguments":"x"}}"#
        let relayed = Relayed.everyWay(
            Chunk.events(
                calls("{" + a), calls("{" + b + ",{" + more), calls("{ " + a), calls("{" + b, choice: 1),
                calls(#"{"index":null,"# + b), Chunk.stop) + Chunk.done)
        #expect(
            relayed.text
                == Chunk.events(
                    calls(#"{"index":0,"# + a), calls(#"{"index":1,"# + b + #",{"index":1,"# + more),
                    calls(#"{"index":0, "# + a), calls(#"{"index":0,"# + b, choice: 1),
                    calls(#"{"index":1,"# + b), Chunk.stop) + Chunk.done)
    }

    @Test func emptyListOfCallsSaysNothingAboutNumbers() {
        let call = #""id":"a","function":{"name":"f"}}"#
        let relayed = Relayed.everyWay(
            Chunk.events(calls(""), calls("null"), calls("{" + call), Chunk.stop) + Chunk.done)
        #expect(
            relayed.text
                == Chunk.events(calls(""), calls("null"), calls(#"{"index":0,"# + call), Chunk.stop) + Chunk.done)
    }

    @Test func emptyAndFurtherCallsOfANumberedStreamPass() {
        expectUnchanged(
            Chunk.events(
                calls(#"{"index":0,"id":"a","function":{"name":"f"}}"#), calls(#"{"id":"b"}"#), Chunk.stop)
                + Chunk.done)
        expectUnchanged(Chunk.events(calls("{}"), calls("7"), Chunk.stop) + Chunk.done)
    }

    @Test func severalChoicesPass() {
        expectUnchanged(
            Chunk.events(Chunk.content("a"), Chunk.content("b", index: 1), Chunk.finish(1), Chunk.finish(0))
                + Chunk.done)
    }

    @Test func unknownFieldsAndTheirSpellingPassByteForByte() {
        let odd =
            #"{ "x_vendor" : {"deep":[true,  false, 1.50, 1e3]}, "choices":[ {"index":0,"delta":{"weird\u0020key":"\ud83d\ude00 é","content":"a\nb"}} ] , "obfuscation":"xYz"}"#
        expectUnchanged(Chunk.events(odd, Chunk.stop) + Chunk.done)
    }

    @Test func charactersOfSeveralBytesSurviveEveryCut() {
        expectUnchanged(Chunk.events(Chunk.content("ä€😀"), Chunk.stop) + Chunk.done)
    }

    @Test(arguments: ["\r\n", "\r"]) func otherLineEndsBecomeLineFeeds(_ lineEnd: String) {
        let stream = Chunk.events(Chunk.content("a"), Chunk.stop) + Chunk.done
        let relayed = Relayed.everyWay(stream.replacing("\n", with: lineEnd))
        #expect(relayed.text == stream)
        #expect(relayed.end == .finished)
    }

    @Test func commentsIDsNamesAndByteOrderMarkDoNotPass() {
        let stream =
            "\u{FEFF}: hello\n\nid: 7\nretry: 10\n\nevent: message\nid: 8\ndata: \(Chunk.content("a"))\nfoo: bar\n\n: more\n\ndata:\(Chunk.stop)\n\n\(Chunk.done)"
        let relayed = Relayed.everyWay(stream)
        #expect(relayed.text == Chunk.events(Chunk.content("a"), Chunk.stop) + Chunk.done)
    }

    @Test func dataLinesOfOneDocumentBecomeOneLine() {
        let lines =
            #"data: {"choices":[{"index":0,"# + "\n" + #"data: "delta":{"content":"he"# + "\n" + #"data: llo"}}]}"#
            + "\n\n"
        let relayed = Relayed.everyWay(lines + Chunk.done)
        #expect(relayed.text == Chunk.events(#"{"choices":[{"index":0, "delta":{"content":"hello"}}]}"#) + Chunk.done)
    }

    @Test func usageChunkIsReadAndHiddenUnlessRequested() {
        let stream = Chunk.events(Chunk.content("a"), Chunk.stop, Chunk.usage) + Chunk.done
        let hidden = Relayed.everyWay(stream)
        #expect(hidden.text == Chunk.events(Chunk.content("a"), Chunk.stop) + Chunk.done)
        #expect(hidden.tokens == [9, 12])
        let kept = Relayed.everyWay(stream, options: Relayed.options(keepsUsage: true))
        #expect(kept.text == stream)
    }

    @Test func usageNextToChoicesAndNullUsagePass() {
        let both =
            #"{"choices":[{"index":0,"delta":{"content":"a"}}],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#
        let null = #"{"choices":[],"usage":null,"prompt_filter_results":[]}"#
        expectUnchanged(Chunk.events(null, both, Chunk.stop) + Chunk.done)
    }

    @Test func modelIsSplicedInEveryChunkAndNothingElse() {
        let spaced = #"{ "model" : "in\u006eer" ,"choices":[{"index":0,"delta":{"content":"\"model\":\"inner\""}}]}"#
        let options = Relayed.options(publicModel: "public/\"name\"")
        let relayed = Relayed.everyWay(Chunk.events(spaced, Chunk.stop) + Chunk.done, options: options)
        let quoted = #""public/\"name\"""#
        #expect(
            relayed.text
                == Chunk.events(
                    spaced.replacing(#""in\u006eer""#, with: quoted), Chunk.stop.replacing(#""inner""#, with: quoted))
                + Chunk.done)
    }

    @Test func chunkWithoutAModelTextIsUnchanged() {
        let options = Relayed.options(publicModel: "public")
        let stream = Chunk.events(#"{"model":null,"choices":[]}"#, #"{"choices":[]}"#) + Chunk.done
        #expect(Relayed.everyWay(stream, options: options).text == stream)
    }

    @Test func foreignNamedEventsDoNotPass() {
        let stream =
            "event: ping\ndata: {\"type\":\"ping\"}\n\nevent: ping\ndata: hello\n\nevent: ping\ndata: [1\n\nevent: chunk\n"
            + Chunk.events(Chunk.content("a"), Chunk.stop) + Chunk.done
        let relayed = Relayed.everyWay(stream)
        #expect(relayed.text == Chunk.events(Chunk.content("a"), Chunk.stop) + Chunk.done)
        #expect(relayed.end == .finished)
    }

    @Test func emptyDataKeepsAliveForEver() {
        let stream = String(repeating: "data:\n\ndata:  \n\n", count: 12) + Chunk.events(Chunk.stop) + Chunk.done
        let relayed = Relayed.everyWay(stream)
        #expect(relayed.text == Chunk.events(Chunk.stop) + Chunk.done)
    }

    @Test func invalidUTF8IsRepairedInText() {
        let bytes =
            Array(#"data: {"choices":[{"index":0,"delta":{"content":"a"#.utf8) + [0xE2, 0x82, 0x62, 0xFF]
            + Array("\"}}]}\n\ndata: [DONE]\n\n".utf8)
        let relayed = Relayed.everyWay(bytes)
        #expect(relayed.text == Chunk.events(#"{"choices":[{"index":0,"delta":{"content":"a�b�"}}]}"#) + Chunk.done)
    }

    @Test func eventsOfOneChunkAreSentTogetherAtOnce() {
        let transform = ChatStreamTransform(options: Relayed.options())
        var output: [UInt8] = []
        let two = Chunk.events(Chunk.role, Chunk.content("a"))
        _ = Array((two + "data: {").utf8).withUnsafeBytes { transform.receive($0, into: &output) }
        #expect(String(decoding: output, as: UTF8.self) == two)
    }

    @Test func onlyContentAndFinishAreProgress() {
        let cases: [(String, Bool)] = [
            (": comment\n\n", false), (Chunk.events(Chunk.role), false), (Chunk.events(Chunk.content("a")), true),
            (Chunk.events(#"{"choices":[{"index":0,"delta":{}}]}"#), false), (Chunk.events(Chunk.usage), false),
            (Chunk.events(#"{"choices":[{"index":0,"delta":{"reasoning_content":"hm"}}]}"#), true),
            (Chunk.events(Chunk.stop), true),
        ]
        let transform = ChatStreamTransform(options: Relayed.options())
        var output: [UInt8] = []
        for (text, isProgress) in cases {
            _ = Array(text.utf8).withUnsafeBytes { transform.receive($0, into: &output) }
            #expect(transform.madeProgress == isProgress, "\(text)")
        }
    }
}
