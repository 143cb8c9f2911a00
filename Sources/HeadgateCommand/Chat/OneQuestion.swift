import ArgumentParser
import HeadgateClient
import HeadgateService
import HeadgateTerminal

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `headgate chat "..."`: one prompt and one reply.
struct OneQuestion {
    let prompt: ChatPrompt

    /// Assembles the prompt from the command line and from standard input, unless that is a terminal.
    ///
    /// - Throws: ``Complaint``, or a usage error if the prompt is empty.
    init(arguments: [String], files: [AttachedFile]) throws {
        let piped = StandardInput.isTerminal ? "" : String(decoding: try StandardInput.read(), as: UTF8.self)
        let parts = [arguments.joined(separator: " "), piped].filter { !$0.allSatisfy(\.isWhitespace) }
        guard !parts.isEmpty || !files.isEmpty else {
            throw ValidationError("there is nothing to ask: give a prompt, or text on standard input")
        }
        prompt = ChatPrompt(parts.joined(separator: "\n\n"), files: files)
    }

    /// Reports the end of the reply.
    ///
    /// - Returns: The exit code.
    func report(_ outcome: ChatOutcome, through service: ChatService, form: ResponseForm) -> Int32 {
        if case .silent = form { announce(ResponseDocument(outcome).text) }
        if let failure = outcome.failure {
            complain("headgate: \(failure)")
            return 1
        }
        // Like other programs at the beginning of a pipe, the command reports no error in this case.
        if outcome.isUnread { return 1 }
        if outcome.isStopped { return service.relay.last.map { Interruption(signal: $0).exitCode } ?? 1 }
        if let cut = outcome.cut { complain("headgate: the answer was \(cut)") }
        guard outcome.response.refusal.isEmpty else {
            // A terminal has shown the refusal, and so has the JSON.
            let words = form == .exact ? ": \(Neutralised.text(outcome.response.refusal))" : ""
            complain("headgate: the model refused\(words)")
            return 1
        }
        return 0
    }
}

/// Document that `--json` prints.
private struct ResponseDocument: Encodable {
    struct Timing: Encodable {
        let firstTokenSeconds: Double?
        let totalSeconds: Double
    }

    let model: String
    let content: String
    let reasoning: String?
    let refusal: String?
    let finishReason: String?
    let isComplete: Bool
    let usage: TokenUsage?
    let timing: Timing
    let error: String?

    init(_ outcome: ChatOutcome) {
        let response = outcome.response
        model = outcome.model
        content = response.content
        reasoning = response.reasoning.isEmpty ? nil : response.reasoning
        refusal = response.refusal.isEmpty ? nil : response.refusal
        finishReason = response.finishReason?.rawValue
        isComplete = response.isComplete
        usage = response.usage
        timing = Timing(
            firstTokenSeconds: outcome.firstAfter.map { OneQuestion.rounded($0) },
            totalSeconds: OneQuestion.rounded(outcome.total))
        error = outcome.failure
    }

    /// The document as one line of JSON.
    var text: String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

extension OneQuestion {
    /// Returns seconds, rounded to milliseconds.
    fileprivate static func rounded(_ duration: Duration) -> Double { (duration.seconds * 1000).rounded() / 1000 }
}
