/// A list of events, in the order in which they happened.
actor Journal {
    private var lines: [String] = []

    func note(_ line: String) { lines.append(line) }

    /// Returns all lines since the last call.
    func take() -> [String] {
        defer { lines = [] }
        return lines
    }
}
