import Foundation
import HeadgateClientURLSession

/// A tool that the model can call.
struct Weather: Tool {
    struct Arguments: Decodable, Sendable { let city: String }

    let name = "weather"
    let description = "Tells the present weather of a city."
    let parameters: JSONValue = [
        "type": "object", "properties": ["city": ["type": "string"]], "required": ["city"],
    ]

    func call(arguments: Arguments) async throws -> String { "18 degrees and cloudy in \(arguments.city)" }
}

/// A chat in the terminal: each line is a prompt, `/first 3 PROMPT` stops after three pieces, `/history` shows all.
@main struct Chat {
    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        let client = try HeadgateClient(
            baseURL: environment["OPENAI_BASE_URL"] ?? HeadgateClient.localBaseURL,
            apiKey: environment["OPENAI_API_KEY"])
        guard let model = CommandLine.arguments.dropFirst().first else {
            return write("usage: chat MODEL [--tools]\nmodels: \(try await client.models.list().map(\.id))\n")
        }
        let tools: [any Tool] = CommandLine.arguments.contains("--tools") ? [Weather()] : []
        let session = ChatSession(client: client, model: model, instructions: "Answer briefly.", tools: tools)

        while let line = readLine() {
            let words = line.split(separator: " ", maxSplits: 2)
            if line == "/history" {
                for entry in session.transcript {
                    write(
                        "\(entry.message.role.rawValue)\(entry.isPartial ? " (partial)" : ""): \(entry.message.text)\n")
                }
            } else if words.first == "/first", words.count == 3, let limit = Int(words[1]) {
                await answer(String(words[2]), in: session, pieces: limit)
            } else if !words.isEmpty {
                await answer(line, in: session)
            }
        }
    }

    static func answer(_ prompt: String, in session: ChatSession, pieces limit: Int = .max) async {
        do {
            var pieces = 0
            for try await piece in session.streamResponse(to: prompt).deltas {
                write(piece)
                pieces += 1
                if pieces == limit { session.cancel() }
            }
        } catch { write("[\(error)]") }
        write("\n")
    }

    static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}
