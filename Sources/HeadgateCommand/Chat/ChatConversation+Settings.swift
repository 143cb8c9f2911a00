import HeadgateClient
import HeadgateConfiguration
import HeadgateService
import HeadgateTerminal

extension ChatConversation {
    func setInstructions(_ text: String) {
        let wanted = QuotedWords.unquoted(text)
        guard !text.isEmpty else {
            return say(session.instructions.map { "The system prompt is: \($0)" } ?? "There is no system prompt.")
        }
        session.instructions = wanted.isEmpty ? nil : wanted
        let change =
            wanted.isEmpty ? "There is no system prompt any more." : "System prompt set, from the next answer on."
        say(change, .dim)
    }

    /// Runs `/set`.
    func set(_ argument: String) throws {
        switch SettingCommand(argument) {
        case .list: for setting in ChatSetting.allCases { say(line(of: setting)) }
        case .show(let setting): say(line(of: setting))
        case .set(let setting, let value):
            apply(value, to: setting)
            say("\(line(of: setting)), from the next answer on.", .dim)
        case .unknown(let name): throw unknown(name)
        case .invalid(let setting): throw Complaint("\(setting.rawValue) is \(setting.summary)")
        }
    }

    /// Runs `/unset`.
    func unset(_ argument: String) throws {
        guard !argument.isEmpty else { throw Complaint("/unset needs a name, such as /unset temperature") }
        guard let setting = ChatSetting(typed: argument) else { throw unknown(argument) }
        switch setting {
        case .temperature: session.options.temperature = nil
        case .topP: session.options.topP = nil
        case .maximumTokens: session.options.maximumResponseTokens = nil
        case .seed: session.options.seed = nil
        case .stop: session.options.stop = []
        case .system: session.instructions = nil
        }
        say("\(line(of: setting)), from the next answer on.", .dim)
    }

    private func unknown(_ name: String) -> Complaint {
        let names = ChatSetting.allCases.map(\.rawValue)
        let all = "there are \(names.joined(separator: ", "))."
        let advice = nearest(name, in: names).map { "did you mean \($0)?" } ?? all
        return Complaint("There is no setting \(name): \(advice)")
    }

    private func apply(_ value: SettingCommand.Value, to setting: ChatSetting) {
        switch (setting, value) {
        case (.temperature, .number(let number)): session.options.temperature = number
        case (.topP, .number(let number)): session.options.topP = number
        case (.maximumTokens, .integer(let number)): session.options.maximumResponseTokens = number
        case (.seed, .integer(let number)): session.options.seed = number
        case (.stop, .texts(let texts)): session.options.stop = texts
        case (.system, .text(let text)): session.instructions = text
        default: break
        }
    }

    private func line(of setting: ChatSetting) -> String {
        let options = session.options
        let value: String? =
            switch setting {
            case .temperature: options.temperature.map { "\($0)" }
            case .topP: options.topP.map { "\($0)" }
            case .maximumTokens: options.maximumResponseTokens.map { "\($0)" }
            case .seed: options.seed.map { "\($0)" }
            case .stop: options.stop.isEmpty ? nil : options.stop.map { "\"\(shown($0))\"" }.joined(separator: " ")
            case .system: session.instructions
            }
        let width = ChatSetting.allCases.map(\.rawValue.count).max() ?? 0
        let name = setting.rawValue
        return "\(name)\(String(repeating: " ", count: width - name.count))  \(value ?? "not set")"
    }

    private func shown(_ stop: String) -> String {
        stop.map { $0 == "\n" ? "\\n" : $0 == "\t" ? "\\t" : String($0) }.joined()
    }
}

/// Finds the models that a name most likely means.
enum NearestModels {
    private static let most = 3

    /// Returns names that differ slightly, with the closest first, and then those that contain the name.
    static func names(for name: String, in names: [String]) -> [String] {
        var found: [String] = []
        while found.count < most, let next = nearest(name, in: names.filter { !found.contains($0) }) {
            found.append(next)
        }
        let part = name.lowercased()
        let holding = names.filter { !part.isEmpty && $0.lowercased().contains(part) && !found.contains($0) }
        return Array((found + holding).prefix(most))
    }
}
