import Foundation
import HeadgateClientURLSession

/// Settings that the app receives from its environment: the server, its key and the model.
struct Settings {
    let client: HeadgateClient
    let model: String

    init(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws {
        client = try HeadgateClient(
            baseURL: environment["OPENAI_BASE_URL"] ?? HeadgateClient.localBaseURL,
            apiKey: environment["OPENAI_API_KEY"], middlewares: [RetryMiddleware()])
        model = environment["CHAT_MODEL"] ?? "smollm2"
    }
}

#if canImport(SwiftUI)
    import SwiftUI

    @main struct ChatApp: App {
        @State private var conversation = try? ChatApp.makeConversation()

        var body: some Scene {
            WindowGroup {
                if let conversation {
                    ChatView(conversation: conversation)
                } else {
                    Text("The address of the server cannot be used.").padding()
                }
            }
        }

        @MainActor private static func makeConversation() throws -> Conversation {
            let settings = try Settings()
            return Conversation(client: settings.client, model: settings.model, instructions: "Answer briefly.")
        }
    }
#else
    /// Without SwiftUI, on other systems, the app uses the same model of the view.
    @main struct ChatApp {
        static func main() async throws {
            let settings = try Settings()
            let conversation = Conversation(client: settings.client, model: settings.model)
            await conversation.send(CommandLine.arguments.dropFirst().joined(separator: " "))
            for entry in conversation.messages { print("\(entry.message.role.rawValue): \(entry.message.text)") }
            if let failure = conversation.failure { print("[\(failure.localizedDescription)]") }
        }
    }
#endif
