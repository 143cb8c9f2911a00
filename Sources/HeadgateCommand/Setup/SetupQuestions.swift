import HeadgateConfiguration
import HeadgateLibC
import HeadgateService
import HeadgateTerminal

/// Questions of `headgate init`. They are printed on standard error and answered on the terminal.
struct SetupQuestions {
    let search: SetupSearch
    /// Folder for files with keys.
    let folder: String
    /// Whether new files replace existing ones.
    let replaces: Bool

    /// Asks for the upstreams.
    ///
    /// - Throws: ``Complaint`` if the input ends.
    func upstreams() throws -> [SetupPlan.Upstream] {
        let found = search.found()
        for provider in found { complain("  found: \(description(provider))") }
        complain("  known: \(KnownProvider.all.map(\.name).joined(separator: ", "))")
        let standard = found.map(\.name).joined(separator: ", ")
        let providers = try repeated("Which providers? [\(standard)] ") { answer in
            let names = answer.split { $0 == "," || $0 == " " }.map(String.init)
            return names.isEmpty ? found : try SetupSearch.providers(names)
        }
        return try providers.map(upstream)
    }

    func wantsKey(_ plan: SetupPlan) throws -> Bool {
        try isYes("Shall apps present a key to the gateway?", standard: plan.hasSecret)
    }

    private func description(_ provider: KnownProvider) -> String {
        for case let variable? in [provider.keyVariable, provider.urlVariable] where search.isSet(variable) {
            return "\(provider.title), by \(variable)"
        }
        return provider.kind == .onDevice ? provider.title : "\(provider.title), which answers"
    }

    private func upstream(_ provider: KnownProvider) throws -> SetupPlan.Upstream {
        var upstream = try search.upstream(provider)
        if provider.url == nil, upstream.url == nil, let variable = provider.urlVariable {
            upstream.url = try repeated("\(provider.title): the address of your resource (https://...): ") { answer in
                do throws(InvalidValue) {
                    return try provider.url(in: [variable: answer.filter { $0 != " " }])
                } catch {
                    throw Complaint(error.message)
                }
            }
        }
        if upstream.key == .variable, let variable = provider.keyVariable, !search.isSet(variable) {
            try askForKey(of: &upstream, variable)
        }
        return upstream
    }

    /// Asks for a key that is not in the environment. Nothing is written before all questions are answered.
    private func askForKey(of upstream: inout SetupPlan.Upstream, _ variable: String) throws {
        let provider = upstream.provider
        let path = "\(folder)/\(provider.name).key"
        let isThere = access(path, F_OK) == 0
        if isThere { upstream.key = .file(path) }
        if isThere, !replaces {
            return complain("\(provider.title): the key is the one in \(Neutralised.line(path)).")
        }
        let otherwise = isThere ? "keep the one in \(Neutralised.line(path))" : "set \(variable) later"
        let question =
            "\(provider.title): \(variable) is not set. Paste the key, which is not shown and goes to a file for you "
            + "alone, or press Enter to \(otherwise): "
        // The terminal's echo is off meanwhile, and it is restored after any signal.
        guard let answer = getpass(question) else { throw SetupQuestions.end }
        let key = String(cString: answer).filter { !$0.isWhitespace }
        memset(answer, 0, strlen(answer))
        guard !key.isEmpty else { return }
        (upstream.key, upstream.pastedKey) = (.file(path), key)
    }

    // MARK: Asking

    private static let end = Complaint("nothing was written: the answers ended too early")

    private func isYes(_ question: String, standard: Bool) throws -> Bool {
        try repeated("\(question) [\(standard ? "Y/n" : "y/N")] ") { answer in
            switch answer.lowercased().filter({ $0 != " " }) {
            case "": standard
            case "y", "yes": true
            case "n", "no": false
            default: throw Complaint("answer y or n")
            }
        }
    }

    /// Repeats the question until the answer is valid.
    private func repeated<Value>(_ question: String, _ read: (String) throws -> Value?) throws -> Value {
        while true {
            let bytes = Array(question.utf8)
            _ = HeadgateLibC.write(STDERR_FILENO, bytes, bytes.count)
            guard let line = readLine() else { throw SetupQuestions.end }
            do {
                if let value = try read(String(line.drop { $0 == " " })) { return value }
            } catch let complaint as Complaint {
                complain("  \(Neutralised.line(complaint.message))")
            }
        }
    }
}
