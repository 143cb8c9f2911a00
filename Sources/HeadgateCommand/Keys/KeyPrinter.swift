import HeadgateConfiguration
import HeadgateGateway
import HeadgateRelay
import HeadgateService
import HeadgateTerminal

/// Prints managed keys as text or JSON.
struct KeyPrinter {
    let isJSON: Bool

    /// Prints a new key, which is shown only once.
    func print(_ text: String, of key: ManagedKey) {
        if isJSON { return Swift.print(KeyReport(key, at: KeyRegister.now).showing(text).json) }
        complain("The key of \(key.name), shown only now:")
        Swift.print(text)
    }

    func print(_ keys: [ManagedKey]) {
        let now = KeyRegister.now
        if isJSON { return Swift.print(KeyReport.list(keys, at: now)) }
        guard !keys.isEmpty else { return complain("no managed keys: 'headgate key add NAME' makes one") }
        let rows = keys.map { key in
            let report = KeyReport(key, at: now)
            return [key.name, report.created, report.expiry, report.models, report.settings].map {
                $0.isEmpty ? "-" : Neutralised.line($0)
            }
        }
        for line in TextTable(["NAME", "CREATED", "EXPIRES", "MODELS", "SETTINGS"], rows).lines {
            Swift.print(line)
        }
    }

    /// Prints all details of a key.
    func print(_ key: ManagedKey) {
        let report = KeyReport(key, at: KeyRegister.now)
        if isJSON { return Swift.print(report.json) }
        for (name, value) in report.facts where !value.isEmpty { Swift.print("\(name): \(Neutralised.line(value))") }
    }
}

/// Expiry of a key.
enum KeyExpiry {
    /// Returns the date of an expiry.
    ///
    /// - Parameter text: A time from now, or a date as in a configuration.
    static func date(_ text: String) throws -> String {
        let zeros = text.dropLast()
        if !zeros.isEmpty, zeros.allSatisfy({ $0 == "0" }), text.last.map("smhdy".contains) ?? false {
            throw Complaint("--expires \(text) is over at once: a time from now is 1s or longer, such as 12h or 30d")
        }
        // A year is 365 days; a date is more precise.
        let years = text.last == "y" ? Int64(zeros).flatMap { (1...99).contains($0) ? $0 : nil } : nil
        let seconds = years.map { $0 * 365 * 86_400 } ?? KeyGrace.seconds(text)
        return seconds.map { KeyReport.dateTime(KeyRegister.now + $0) } ?? text
    }
}
