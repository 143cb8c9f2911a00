import ArgumentParser
import FoundationEssentials
import Glibc
import HeadgateClient
import HeadgateNetwork
import HeadgateService
import HeadgateTerminal

/// `headgate chat "..."`: one prompt, one answer.
struct OneQuestion {
    private static let longest = 32 << 20

    private let prompt: String

    /// Puts the prompt together from the command line and, where that is no terminal, standard input.
    ///
    /// - Throws: ``Complaint``, or a usage error when there is nothing to ask.
    init(arguments: [String]) throws {
        let piped = isatty(STDIN_FILENO) == 1 ? "" : try OneQuestion.readInput()
        let parts = [arguments.joined(separator: " "), piped].filter { !$0.allSatisfy(\.isWhitespace) }
        guard !parts.isEmpty else {
            throw ValidationError("there is nothing to ask: give a prompt, or text on standard input")
        }
        prompt = parts.joined(separator: "\n\n")
    }

    private static func readInput() throws -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw Complaint("cannot read standard input: \(systemErrorText(errno))")
            }
            bytes += buffer[..<count]
            guard bytes.count <= longest else { throw Complaint("standard input holds more than 32 MiB") }
        }
    }

    /// - Returns: the exit code.
    func ask(_ session: ChatSession, through service: ChatService, form: AnswerForm) -> Int32 {
        let answer = service.ask(session, prompt, form: form)
        if case .silent = form { announce(AnswerDocument(answer).text) }
        if let failure = answer.failure {
            complain("headgate: \(failure)")
            return 1
        }
        // As of any program at the beginning of a pipe, nothing is said about it.
        if answer.isUnread { return 1 }
        if answer.isStopped { return service.relay.last.map { Interruption(signal: $0).exitCode } ?? 1 }
        if let cut = answer.cut { complain("headgate: the answer was \(cut)") }
        guard answer.response.refusal.isEmpty else {
            // A terminal has shown its words, and so has JSON.
            let words = form == .exact ? ": \(Neutralised.text(answer.response.refusal))" : ""
            complain("headgate: the model refused\(words)")
            return 1
        }
        return 0
    }
}

/// What `--json` prints.
private struct AnswerDocument: Encodable {
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

    init(_ answer: Answer) {
        let response = answer.response
        model = answer.model
        content = response.content
        reasoning = response.reasoning.isEmpty ? nil : response.reasoning
        refusal = response.refusal.isEmpty ? nil : response.refusal
        finishReason = response.finishReason?.rawValue
        isComplete = response.isComplete
        usage = response.usage
        timing = Timing(
            firstTokenSeconds: answer.firstAfter.map { OneQuestion.rounded($0) },
            totalSeconds: OneQuestion.rounded(answer.total))
        error = answer.failure
    }

    /// One line.
    var text: String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

extension OneQuestion {
    /// In milliseconds' precision.
    fileprivate static func rounded(_ duration: Duration) -> Double { (duration.seconds * 1000).rounded() / 1000 }
}
