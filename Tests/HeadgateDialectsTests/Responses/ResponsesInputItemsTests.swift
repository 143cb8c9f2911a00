import Testing

@testable import HeadgateDialects

/// Lists of a stored response's input items.
@Suite struct ResponsesInputItemsTests {
    private func list(
        _ items: String, limit: Int = 20, isAscending: Bool = true, after: String? = nil
    ) throws -> JSONValue? {
        var page = ResponsesInputItems.Page()
        (page.limit, page.isAscending, page.after) = (limit, isAscending, after)
        return try ResponsesInputItems.list(Array(items.utf8), of: "resp_hg1", page).map { try JSONValue($0) }
    }

    @Test func messagesGetOmittedDefaults() throws {
        let items = try list(
            #"{"role":"user","content":"Hi"},{"role":"assistant","content":"Yes"},{"type":"message","id":"msg_own","role":"user","content":[{"type":"input_image"}]}"#
        )
        #expect(
            items?["data"] == [
                [
                    "role": "user", "content": [["type": "input_text", "text": "Hi"]], "type": "message",
                    "id": "msg_hg1_0", "status": "completed",
                ],
                [
                    "role": "assistant", "content": [["type": "output_text", "text": "Yes"]], "type": "message",
                    "id": "msg_hg1_1", "status": "completed",
                ],
                [
                    "type": "message", "id": "msg_own", "role": "user", "content": [["type": "input_image"]],
                    "status": "completed",
                ],
            ])
    }

    @Test func otherItemsChangeOnlyTheirIDs() throws {
        let items = try list(#"{"type":"function_call_output","call_id":"c","output":"1"},{"id":"rs_9"}"#)
        #expect(
            items?["data"] == [
                ["type": "function_call_output", "call_id": "c", "output": "1", "id": "fco_hg1_0"],
                ["id": "rs_9", "type": "item_reference"],
            ])
    }

    @Test func pagesFollowEachOther() throws {
        let items = #"{"id":"a"},{"id":"b"},{"id":"c"}"#
        func ids(_ list: JSONValue?) -> [String?] { list?["data"]?.array?.map { $0["id"]?.string } ?? [] }
        let first = try list(items, limit: 2)
        #expect(ids(first) == ["a", "b"] && first?["has_more"] == true)
        #expect(first?["first_id"] == "a" && first?["last_id"] == "b")
        let rest = try list(items, limit: 2, after: "b")
        #expect(ids(rest) == ["c"] && rest?["has_more"] == false)
        #expect(ids(try list(items, limit: 2, isAscending: false)) == ["c", "b"])
        #expect(ids(try list(items, isAscending: false, after: "b")) == ["a"])
        #expect(try list(items, after: "d") == nil)
    }

    @Test func anEmptyListHasNoEnds() throws {
        #expect(
            try list("") == ["object": "list", "data": [], "first_id": nil, "last_id": nil, "has_more": false])
    }
}
