extension ConfigurationDecoder {
    mutating func retry(in model: Fields, over targets: [DecodedTarget]) -> RetryConfiguration {
        var fields = section("retry", of: model, as: .retry)
        if model["retry"] == nil, targets.count == 1, targets[0].upstream.apiKeys.count < 2 {
            // Without a second attempt, the other settings have no effect.
            fields.leftOut = fields.declaration.names.filter { $0 != "attempts" }
        }
        var retry = RetryConfiguration()
        retry.attempts = wholeNumber("attempts", of: fields, in: 1...10)
        if let backoff = duration("backoff", of: fields) { retry.backoff = backoff }
        readMaximumBackoff(of: &retry, in: fields)
        let budget = value("budget", of: fields, as: PercentText.expected) { (text) throws(InvalidValue) in
            try PercentText.parse(text)
        }
        if let budget { retry.budgetPercent = budget }
        if let faults = faults(in: fields) { retry.faults = faults }
        return retry
    }

    /// Reads `max_backoff`, whose default is never less than `backoff`.
    private mutating func readMaximumBackoff(of retry: inout RetryConfiguration, in fields: Fields) {
        if fields["max_backoff"] == nil, retry.backoff > retry.maximumBackoff {
            retry.maximumBackoff = retry.backoff
            settings?.inherit(fields.path.key("max_backoff"), from: fields.path.key("backoff"))
            return
        }
        guard let maximum = duration("max_backoff", of: fields) else { return }
        retry.maximumBackoff = maximum
        guard maximum < retry.backoff, let entry = fields["max_backoff"] else { return }
        let advice = fields["backoff"] == nil ? "write a smaller one" : "make that smaller"
        issues.add(
            "max_backoff: less than backoff, which is \(retry.backoff): make it larger, or \(advice)",
            at: entry.value.position)
    }

    private mutating func faults(in fields: Fields) -> Set<RetryableFault>? {
        if let entry = fields["on"], case .sequence(let items) = entry.value.content, items.isEmpty {
            issues.add(
                "on: the list is empty: name what is followed by another send, or write attempts: 1",
                at: entry.value.position)
        }
        let faults = values(
            "on", of: fields, list: "faults, such as [connect, 429, 5xx]", each: RetryableFault.expected, echo: .word
        ) { (text) throws(InvalidValue) in try RetryableFault(parsing: text) }
        return faults.map(Set.init)
    }
}
