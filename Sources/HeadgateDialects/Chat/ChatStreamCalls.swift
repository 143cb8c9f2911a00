/// Assembles tool calls from their fragments in a stream.
struct ChatStreamCalls {
    /// Id of the response, from which ids of calls without one are derived.
    var responseID = ""

    /// The calls' ids, in the order in which they began.
    private var ids: [String] = []
    /// The latest call of each index that the upstream uses.
    private var latest: [Int: Int] = [:]
    private var highest = -1

    /// Index for the call of an upstream that knows only one call and gives it no index.
    private static let legacy = -1

    var isEmpty: Bool { ids.isEmpty }

    /// - Parameter choice: The index of the fragment's choice. Each choice counts its calls from 0.
    mutating func read(_ fragment: JSONValue, of choice: Int, into events: inout [ResponseEvent]) {
        let custom = fragment["custom"]?.object
        let function = custom ?? fragment["function"]?.object ?? JSONObject()
        let id = fragment["id"]?.string ?? ""
        let name = function["name"]?.string ?? ""
        // One call beyond the limit is reported, so that the response is rejected.
        guard ids.count <= ToolCall.most else { return }
        let written = fragment["index"]?.integer.flatMap { (0..<1 << 20).contains($0) ? choice << 20 | $0 : nil }
        let index = written ?? self.index(of: id, named: name)
        let members = ChatTools.members(of: fragment)
        // A call that begins now gets its id from them.
        if !members.members.isEmpty, begins(index, id) { events.append(.toolMembers(index: ids.count, members)) }
        let number = ids.count
        let call = call(index, id, named: name, isCustom: custom != nil, into: &events)
        if !members.members.isEmpty, call < number { events.append(.toolMembers(index: call, members)) }
        append(function[custom == nil ? "arguments" : "input"], to: call, into: &events)
    }

    mutating func readLegacy(_ fragment: JSONValue, into events: inout [ResponseEvent]) {
        let call = call(Self.legacy, "", named: fragment["name"]?.string ?? "", isCustom: false, into: &events)
        append(fragment["arguments"], to: call, into: &events)
    }

    /// Returns the index for a fragment without one: that of the call with its id, or a new one. If the fragment has
    /// neither an id nor a name, returns the last index.
    private func index(of id: String, named name: String) -> Int {
        let last = highest
        if id.isEmpty { return name.isEmpty ? max(last, 0) : last + 1 }
        return latest.first { ids[$0.value] == id }?.key ?? last + 1
    }

    private func begins(_ index: Int, _ id: String) -> Bool {
        guard let known = latest[index] else { return true }
        return !id.isEmpty && ids[known] != id
    }

    /// Returns the call of a fragment. A new index, or a new id at a known index, begins a call.
    private mutating func call(
        _ index: Int, _ id: String, named name: String, isCustom: Bool, into events: inout [ResponseEvent]
    ) -> Int {
        if let known = latest[index], id.isEmpty || ids[known] == id { return known }
        let number = ids.count
        let id = id.isEmpty ? ChatContent.inventedID(response: responseID, call: number) : id
        ids.append(id)
        latest[index] = number
        highest = max(highest, index)
        events.append(.toolCall(index: number, id: id, name: name, isCustom: isCustom))
        return number
    }

    private func append(_ arguments: JSONValue?, to call: Int, into events: inout [ResponseEvent]) {
        let text = ChatContent.arguments(arguments)
        if !text.isEmpty { events.append(.toolArguments(index: call, text)) }
    }
}
