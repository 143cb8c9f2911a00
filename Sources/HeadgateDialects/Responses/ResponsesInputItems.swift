/// Input items as routes return them, with the members that clients may leave out.
package enum ResponsesInputItems {
    /// Requested page of a list.
    package struct Page: Sendable {
        package var limit = 20
        package var isAscending = false
        /// Id of the item before the page.
        package var after: String?

        package init() {}
    }

    /// Returns the list of a stored response's input items, as for `GET /v1/responses/{id}/input_items`.
    ///
    /// - Parameters:
    ///   - items: The items as the client sent them, separated by commas.
    ///   - response: Id of the response, from which items without an id derive theirs.
    /// - Returns: Nil if `after` is not the id of an item.
    package static func list(_ items: [UInt8], of response: String, _ page: Page) -> [UInt8]? {
        let written = (try? JSONValue(JSONElements.array([items])))?.array ?? []
        let suffix = response.drop { $0 != "_" }
        var all = written.enumerated().compactMap { index, item in
            item.object.map { completed($0, id: "\(suffix)_\(index)") }
        }
        if !page.isAscending { all.reverse() }
        if let after = page.after {
            guard let index = all.firstIndex(where: { $0["id"]?.string == after }) else { return nil }
            all.removeFirst(index + 1)
        }
        let shown = all.prefix(page.limit)
        let list: JSONValue = [
            "object": "list", "data": .array(shown.map { .object($0) }),
            "first_id": shown.first?["id"] ?? nil, "last_id": shown.last?["id"] ?? nil,
            "has_more": .bool(shown.count < all.count),
        ]
        return list.bytes
    }

    /// - Parameter id: Suffix for the id of an item that has none; the prefix depends on the item's type.
    package static func completed(_ item: JSONObject, id: String) -> JSONObject {
        var item = item
        let type = type(of: item)
        if item["type"] == nil { item["type"] = .string(type) }
        if item["id"]?.string == nil { item["id"] = .string((prefixes[type] ?? "item") + id) }
        guard type == "message" else { return item }
        if item["status"]?.string == nil { item["status"] = "completed" }
        if let text = item["content"]?.string {
            let kind: JSONValue = item["role"] == "assistant" ? "output_text" : "input_text"
            item["content"] = [["type": kind, "text": .string(text)]]
        }
        return item
    }

    package static func type(of item: JSONObject) -> String {
        item["type"]?.string ?? (item["role"] == nil ? reference : "message")
    }

    /// Type of a reference to an item stored elsewhere.
    package static let reference = "item_reference"

    private static let prefixes = [
        "message": "msg", "function_call": "fc", "function_call_output": "fco", "custom_tool_call": "ctc",
        "custom_tool_call_output": "ctco", "reasoning": "rs",
    ]
}
