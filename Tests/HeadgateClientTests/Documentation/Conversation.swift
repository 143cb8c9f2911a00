import HeadgateClient
import Observation

@MainActor @Observable
final class Conversation {
    private(set) var messages: [TranscriptEntry] = []
    private(set) var answer: ChatResponse?
    private(set) var failure: String?
    private let session: ChatSession

    init(session: ChatSession) { self.session = session }

    /// Runs until the response has ended; `.task` or a `Task` of the view may cancel it.
    func send(_ prompt: String) async {
        guard !prompt.allSatisfy(\.isWhitespace), answer == nil else { return }
        answer = ChatResponse()
        failure = nil
        let stream = session.streamResponse(to: prompt)
        messages = session.transcript
        do {
            for try await snapshot in stream { answer = snapshot }
        } catch {
            failure = "\(error)"
        }
        messages = session.transcript
        answer = nil
    }

    func stop() { session.cancel() }

    func clear() {
        session.clear()
        messages = []
    }
}
