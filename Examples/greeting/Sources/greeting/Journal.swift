/// What has happened, in its order.
actor Journal {
    private var lines: [String] = []

    func note(_ line: String) { lines.append(line) }

    /// All lines since the last time.
    func take() -> [String] {
        defer { lines = [] }
        return lines
    }
}
