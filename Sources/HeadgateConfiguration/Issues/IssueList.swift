/// A list of issues with a maximum length, so that a hostile file cannot make the report larger than itself.
struct IssueList {
    static let maximumCount = 100

    let file: String
    private let severity: ConfigurationIssue.Severity
    private var issues: [ConfigurationIssue] = []
    /// Issues of other files, which follow those of this file.
    private var others: [ConfigurationIssue] = []
    private var leftOut = 0

    init(file: String, severity: ConfigurationIssue.Severity = .error) {
        self.file = file
        self.severity = severity
    }

    var isEmpty: Bool { issues.isEmpty && others.isEmpty }
    var count: Int { issues.count + others.count }

    /// Whether further issues are only counted, so that computing advice for them would be wasted work.
    var isFull: Bool { count >= Self.maximumCount }

    /// Adds an issue. The message is only built if the list is not full.
    mutating func add(_ message: @autoclosure () -> String, at position: SourcePosition?) {
        guard !isFull else {
            leftOut += 1
            return
        }
        let file = position == nil ? ConfigurationIssue.environmentName : file
        issues.append(ConfigurationIssue(file: file, position: position, message: message(), severity: severity))
    }

    /// Adds the issues of a file that this file names.
    mutating func add(_ list: IssueList) { others += list.sorted }

    /// The issues by position, with those without a position last. Issues at one position keep the order of their
    /// discovery.
    var sorted: [ConfigurationIssue] {
        let end = SourcePosition(line: .max, column: .max)
        var result =
            issues.enumerated().sorted { left, right in
                (left.element.position ?? end, left.offset) < (right.element.position ?? end, right.offset)
            }.map(\.element) + others
        if leftOut > 0, let last = result.last {
            let message = "\(leftOut) more issues are not shown: correct these first"
            result.append(
                ConfigurationIssue(file: last.file, position: last.position, message: message, severity: severity))
        }
        return result
    }
}
