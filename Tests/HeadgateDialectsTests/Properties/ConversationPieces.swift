@testable import HeadgateDialects

extension ModelRequest {
    /// Content of the conversation, independent of how a format divides it into messages: each statement with its
    /// speaker. Calls are numbered, so that their ids can differ.
    var pieces: [[String]] {
        var pieces: [[String]] = []
        var instructions: [String] = []
        var calls: [String: Int] = [:]
        for part in messages.flatMap({ message in message.parts.map { (message.role, $0.content) } }) {
            switch part {
            case (.system, .text(let text)), (.developer, .text(let text)): instructions.append(text)
            case (let role, .toolCall(let call)):
                calls[call.id] = calls.count
                let arguments = (try? JSONValue(Array(call.arguments.utf8)))?.text ?? "not JSON"
                pieces.append([role.rawValue, "call", call.name, arguments])
            case (_, .toolResult(let result)):
                let number = calls[result.callID].map(String.init) ?? "none"
                pieces.append(["result", number] + result.parts.map { "\($0.content)" })
            case (let role, let content): pieces.append([role.rawValue, "\(content)"])
            }
        }
        return [["system", instructions.joined(separator: "\n\n")]] + pieces
    }
}
