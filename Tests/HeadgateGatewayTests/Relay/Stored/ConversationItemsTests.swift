import HeadgateDialects
import Testing

@testable import HeadgateRelay

/// Items as clients send them, and as they are stored.
@Suite struct ConversationItemsTests {
    private func read(_ items: String) throws(GatewayError) -> [ConversationItem] {
        try ConversationItems.read(Array(items.utf8), at: "items")
    }

    private func text(_ item: ConversationItem) -> String { String(decoding: item.document, as: UTF8.self) }

    @Test(arguments: [
        #"{"type":"message","role":"user","content":[]}"#, #"{"role":"user","content":"Hi"}"#,
        #"{"type":null,"id":null,"role":"user","content":"Hi"}"#, #"{"type":"custom"}"#,
    ]) func itemIsRead(_ item: String) throws {
        let items = try read(item)
        #expect(items.count == 1 && ConversationItem.isID(items[0].id))
        #expect(text(items[0]).hasPrefix(#"{"id":"\#(items[0].id)","#))
        #expect(!text(items[0]).contains("null"))
    }

    @Test(arguments: [
        ("7", "items[1]", "must be an item"), (#"{"type":7}"#, "items[1].type", "must be a string"),
        (#"{"type":"message","id":7}"#, "items[1].id", "must be a string"), ("{}", "items[1]", "has no 'type'"),
        (#"{"type":null,"content":"Hi"}"#, "items[1]", "has no 'type'"),
        (#"{"type":"item_reference","id":"msg_1"}"#, "items[1]", "must be the item itself"),
        (#"{"id":"msg_1"}"#, "items[1]", "must be the item itself"),
    ]) func invalidItemIsRefusedByItsPlace(_ item: String, _ place: String, _ problem: String) {
        let error = #expect(throws: GatewayError.self) { try read(#"{"role":"user","content":"Hi"},"# + item) }
        #expect(error?.status == 400 && error?.message.hasPrefix("'\(place)' \(problem)") == true)
    }

    @Test(arguments: [
        ("msg_a-B_9", true), (String(repeating: "x", count: 128), true), (String(repeating: "x", count: 129), false),
        ("", false), ("a/b", false), ("a b", false), ("é", false), ("a:", false), ("a@", false), ("a[", false),
        ("a`", false), ("a{", false), ("azAZ09", true), ("a.", false),
    ]) func idThatIsUnsafeInAPathIsReplaced(_ id: String, _ isKept: Bool) throws {
        #expect(ConversationItem.isID(id) == isKept)
        let item = try read(#"{"type":"message","role":"user","content":"Hi","id":"\#(id)"}"#)[0]
        #expect((item.id == id) == isKept && ConversationItem.isID(item.id))
    }

    @Test func itemsAreWrittenAsElementsOfAnArray() throws {
        let items = try read(#"{"type":"a","id":"1"},{"type":"b","id":"2","x":[1]}"#)
        #expect(
            String(decoding: ConversationItems.elements(items), as: UTF8.self)
                == #"{"id":"1","type":"a"},{"id":"2","type":"b","x":[1]}"#)
        #expect(ConversationItems.elements([]).isEmpty)
        #expect(
            ConversationItem.size(of: items) == 2 + #"{"type":"a"}"#.utf8.count + #"{"type":"b","x":[1]}"#.utf8.count)
        #expect(items[0].renamed.members == items[0].members && items[0].renamed.id != items[0].id)
    }

    @Test func outputOfAResponseIsRead() {
        let output = ConversationItems.output(
            of: Array(#"{"id":"r","output":[{"type":"message","id":"msg_1","role":"assistant","content":[]}]}"#.utf8))
        #expect(output.map(\.id) == ["msg_1"])
        #expect(ConversationItems.output(of: Array(#"{"output":[7]}"#.utf8)).isEmpty)
    }
}
