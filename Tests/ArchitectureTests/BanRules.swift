/// Rules about single constructs.
enum BanRules {
    /// Only commands print, because they talk to a person; other code logs.
    static func prints(_ files: [SourceFile]) -> [Violation] {
        let commands: Set = ["HeadgateCommand", "ScriptedUpstreamCommand"]
        return lines(of: files.filter { !commands.contains($0.target) }, matching: printing) { file, line in
            Violation(file, line: line, "only a command prints: report through the outcome, the log or a thrown error")
        }
    }

    /// `try!` traps on an error, which ends every stream of the process.
    static func forcedTries(_ files: [SourceFile]) -> [Violation] {
        lines(of: files, matching: #/\btry!/#) { file, line in
            Violation(file, line: line, "try! ends the process and every stream in it: throw, or handle the error")
        }
    }

    /// ThreadSanitizer does not see that `Mutex` orders accesses, and would report every value inside one.
    static func mutexes(_ files: [SourceFile]) -> [Violation] {
        lines(of: files, matching: #/(?:^|\W)Mutex\s*[<(]/#) { file, line in
            Violation(file, line: line, "ThreadSanitizer cannot follow Mutex on Linux: use Locked")
        }
    }

    /// Unfinished work must name an issue.
    static func looseEnds(_ files: [SourceFile]) -> [Violation] {
        files.flatMap { file in
            file.comments.filter { $0.text.contains(marker) && !$0.text.contains(issue) }.map { line, _ in
                Violation(file, line: line, "a marker without an issue is forgotten: do it, or name the issue as #12")
            }
        }
    }

    /// Words and openings that read like a translation. Lines that cite an RFC are exempt.
    static func awkwardComments(_ files: [SourceFile]) -> [Violation] {
        files.filter { !$0.target.hasSuffix("Tests") && !$0.isGenerated }.flatMap { file in
            file.comments.compactMap { number, text in
                let found = text.prefixMatch(of: opening)?.output.1 ?? text.firstMatch(of: awkward)?.output.1
                guard let found, !text.contains("RFC") else { return nil }
                return Violation(
                    file, line: number,
                    "'\(found)': open with a noun phrase or a verb; no one, a client, again, no longer, bytes")
            }
        }
    }

    /// HTTP and its server are below the code that knows what is sent over them. No word of their names, texts and
    /// comments may be about models. A single `token` is HTTP's own word (RFC 9110 section 5.6.2), a `completion`
    /// Swift's.
    static func wordsOfModels(_ files: [SourceFile]) -> [Violation] {
        files.filter { ["HeadgateHTTP", "HeadgateServer"].contains($0.target) }.flatMap { file in
            file.lines.compactMap { number, text in
                let lower = text.lowercased()
                let found = words(of: text).first(where: ofModels.contains) ?? vendors.first(where: lower.contains)
                return found.map {
                    Violation(file, line: number, "\(file.target) knows no models: '\($0)' belongs to HeadgateRelay")
                }
            }
        }
    }

    /// Returns the words in lower case, with `camelCase` and `ALLCaps` split.
    private static func words(of line: String) -> [String] {
        line.matches(of: #/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/#).map { $0.output.lowercased() }
    }

    private static let ofModels: Set = [
        "model", "models", "prompt", "prompts", "tokens", "dialect", "dialects", "chat", "llm", "llms", "gpt",
    ]
    private static let vendors = ["anthropic", "claude", "openai", "azure"]

    private static func lines(
        of files: [SourceFile], matching pattern: some RegexComponent, report: (SourceFile, Int) -> Violation
    ) -> [Violation] {
        files.flatMap { file in file.code.filter { $0.text.contains(pattern) }.map { report(file, $0.number) } }
    }

    private nonisolated(unsafe) static let printing = #/(?:^|[^\w.])(?:Swift\.)?(?:print|debugPrint|dump)\s*\(/#
    private nonisolated(unsafe) static let marker = #/\b(?:TODO|FIXME)\b/#
    private nonisolated(unsafe) static let opening = #/\s*///\s+(What|Of|For whom|Those|The same)\b/#
    private nonisolated(unsafe) static let awkward =
        #/\b([Nn]obody|[Ww]hoever|[Aa]new|any more|[Oo]ctets?(?![-:]))\b/#
    private nonisolated(unsafe) static let issue = #/#[0-9]+/#
}
