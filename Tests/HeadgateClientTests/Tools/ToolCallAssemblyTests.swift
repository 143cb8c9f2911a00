import Testing

@testable import HeadgateClient

@Suite struct ToolCallAssemblyTests {
    private func calls(_ fragments: [String]) throws -> [ToolCall] {
        var assembly = ToolCallAssembly()
        for text in fragments {
            assembly.add(try JSONCoding.decode(ToolCallFragment.self, from: Array(text.utf8)))
        }
        return assembly.calls
    }

    private let two = [
        ToolCall(id: "a", name: "f", arguments: #"{"x":1}"#), ToolCall(id: "b", name: "g", arguments: #"{"y":2}"#),
    ]

    @Test func fragmentsAreJoinedByTheirIndex() throws {
        #expect(
            try calls([
                #"{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}"#,
                #"{"index":1,"id":"b","type":"function","function":{"name":"g","arguments":"{\"y\""}}"#,
                #"{"index":0,"function":{"arguments":"{\"x\""}}"#, #"{"index":1,"function":{"arguments":":2}"}}"#,
                #"{"index":0,"function":{"arguments":":1}"}}"#, #"{"index":0}"#,
            ]) == two)
    }

    @Test func fragmentsWithoutAnIndexBelongToTheLastCall() throws {
        #expect(
            try calls([
                #"{"id":"a","function":{"name":"f","arguments":"{\"x\""}}"#, #"{"function":{"arguments":":1}"}}"#,
                #"{"id":"b","function":{"name":"g","arguments":"{\"y\":2}"}}"#,
            ]) == two)
    }

    @Test func repeatedIdAndNameAreNotANewCall() throws {
        #expect(
            try calls([
                #"{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}"#,
                #"{"index":0,"id":"a","function":{"name":"f","arguments":":1}"}}"#,
                #"{"id":"b","function":{"name":"g","arguments":"{\"y\""}}"#,
                #"{"id":"b","function":{"name":"g","arguments":":2}"}}"#,
            ]) == two)
    }

    @Test func newIdAtTheSameIndexIsANewCall() throws {
        #expect(
            try calls([
                #"{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}}"#,
                #"{"index":0,"id":"b","function":{"name":"g","arguments":"{\"y\""}}"#,
                #"{"index":0,"function":{"arguments":":2}"}}"#,
            ]) == two)
    }

    @Test func nonTextArgumentsAreKeptAsJSON() throws {
        #expect(
            try calls([
                #"{"index":0,"id":"a","function":{"name":"f","arguments":{"x":1}}}"#,
                #"{"index":1,"id":"b","function":{"name":"g","arguments":null}}"#,
                #"{"index":1,"function":{"arguments":"{\"y\":2}"}}"#,
            ]) == two)
        let whole = #"{"function":{"name":"f","arguments":{"x":1}}}"#
        #expect(try JSONCoding.decode(ToolCall.self, from: Array(whole.utf8)).arguments == #"{"x":1}"#)
    }

    @Test func callWithoutAnIdGetsOne() throws {
        let calls = try calls([
            #"{"index":0,"id":null,"function":{"name":"f"}}"#, #"{"index":1,"function":{"name":"g"}}"#,
        ])
        #expect(calls.map(\.id) == ["call_0", "call_1"])
        #expect(calls.map(\.name) == ["f", "g"])
    }

    private let unnumbered = [
        ToolCall(id: "call_0", name: "f", arguments: #"{"x":1}"#),
        ToolCall(id: "call_1", name: "g", arguments: #"{"y":2}"#),
    ]

    @Test(arguments: ["", #""index":0,"#])
    func callsThatDifferOnlyByNameAreSeparate(index: String) throws {
        #expect(
            try calls([
                #"{\#(index)"function":{"name":"f","arguments":"{\"x\""}}"#,
                #"{\#(index)"function":{"arguments":":1}"}}"#,
                #"{\#(index)"function":{"name":"g","arguments":"{\"y\":2}"}}"#,
            ]) == unnumbered)
    }

    @Test func sameToolTwiceWithoutIndexAndIdIsTwoCalls() throws {
        let calls = try calls([
            #"{"function":{"name":"f","arguments":"{\"x\":1}"}}"#,
            #"{"function":{"name":"f","arguments":"{\"x\":2}"}}"#,
        ])
        #expect(calls.map(\.arguments) == [#"{"x":1}"#, #"{"x":2}"#])
    }

    @Test func nameRepeatedWithoutAnIdCountsOnce() throws {
        #expect(
            try calls([
                #"{"index":0,"function":{"name":"f","arguments":"{\"x\""}}"#,
                #"{"index":0,"function":{"name":"f","arguments":":1}"}}"#,
                #"{"index":0,"function":{"name":"f","arguments":""}}"#,
                #"{"index":1,"function":{"name":"g","arguments":"{\"y\":2}"}}"#,
            ]) == unnumbered)
    }

    @Test func newIdWithoutANameIsNotANewCall() throws {
        #expect(
            try calls([
                #"{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}"#,
                #"{"index":0,"id":"z","function":{"arguments":":1}"}}"#,
                #"{"id":"b","function":{"name":"g","arguments":"{\"y\""}}"#,
                #"{"id":"y","function":{"arguments":":2}"}}"#,
            ]) == two)
    }

    @Test func laterIndexChangesNothing() throws {
        #expect(
            try calls([
                #"{"id":"a","function":{"name":"f","arguments":"{\"x\""}}"#,
                #"{"index":0,"function":{"arguments":":1}"}}"#,
                #"{"id":"b","function":{"name":"g","arguments":"{\"y\":2}"}}"#,
            ]) == two)
    }
}
