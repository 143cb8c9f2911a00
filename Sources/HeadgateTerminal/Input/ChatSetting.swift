/// Settings of `/set`, in the order in which they are listed.
package enum ChatSetting: String, CaseIterable, Sendable {
    case temperature
    case topP = "top_p"
    case maximumTokens = "max_tokens"
    case seed, stop, system

    /// Description of valid values, for display.
    package var summary: String {
        switch self {
        case .temperature: "sampling temperature, from 0 to 2"
        case .topP: "only the likeliest words that together have this probability: above 0, at most 1"
        case .maximumTokens: "the longest answer, in tokens"
        case .seed: "a whole number that makes answers repeatable where the provider can"
        case .stop: "texts that end an answer, at most four, in quotes where they hold spaces"
        case .system: "the system prompt"
        }
    }

    /// Parses a typed name, such as `max-tokens` or `Top_P`.
    package init?(typed name: String) {
        self.init(rawValue: String(name.lowercased().map { $0 == "-" ? "_" : $0 }))
    }
}

/// A command for the settings, parsed from the text after `/set`.
package enum SettingCommand: Equatable, Sendable {
    package enum Value: Equatable, Sendable {
        case number(Double)
        case integer(Int)
        case texts([String])
        case text(String)
    }

    case list
    case show(ChatSetting)
    case set(ChatSetting, Value)
    case unknown(String)
    /// A value that is invalid for the setting.
    case invalid(ChatSetting)

    private static let mostStops = 4

    /// - Parameter argument: `NAME VALUE`, with an optional equals sign.
    package init(_ argument: String) {
        let name = argument.prefix { !$0.isWhitespace && $0 != "=" }
        guard !name.isEmpty else {
            self = argument.isEmpty ? .list : .unknown(argument)
            return
        }
        guard let setting = ChatSetting(typed: String(name)) else {
            self = .unknown(String(name))
            return
        }
        var rest = argument.dropFirst(name.count).drop(while: \.isWhitespace)
        if rest.first == "=" { rest = rest.dropFirst().drop(while: \.isWhitespace) }
        guard !rest.isEmpty else {
            self = .show(setting)
            return
        }
        self = SettingCommand.value(of: setting, in: String(rest)).map { .set(setting, $0) } ?? .invalid(setting)
    }

    private static func value(of setting: ChatSetting, in text: String) -> Value? {
        switch setting {
        case .temperature: Double(text).flatMap { (0...2).contains($0) ? .number($0) : nil }
        case .topP: Double(text).flatMap { $0 > 0 && $0 <= 1 ? .number($0) : nil }
        case .maximumTokens: Int(text).flatMap { $0 > 0 ? .integer($0) : nil }
        case .seed: Int(text).map { .integer($0) }
        case .stop: stops(in: text)
        case .system:
            QuotedWords.unquoted(text).allSatisfy(\.isWhitespace) ? nil : .text(QuotedWords.unquoted(text))
        }
    }

    private static func stops(in text: String) -> Value? {
        let words = QuotedWords.split(text, readsEscapes: true).filter { !$0.isEmpty }
        return words.isEmpty || words.count > mostStops ? nil : .texts(words)
    }
}
