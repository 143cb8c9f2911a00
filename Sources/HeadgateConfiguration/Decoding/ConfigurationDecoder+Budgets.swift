internal import HeadgatePrices
internal import HeadgatePrimitives

/// Positions of all budgets, to check them against the rest of the file.
struct BudgetPlaces {
    var usd: [SourcePosition] = []
    var strict: [SourcePosition] = []
    /// Period and position of the budget with the longest period.
    var longest: (period: BudgetConfiguration.Period, position: SourcePosition)?

    mutating func add(_ budget: BudgetConfiguration, at position: SourcePosition) {
        if case .usd = budget.amount { usd.append(position) }
        if budget.isStrict { strict.append(position) }
        if longest.map({ $0.period.longest < budget.period.longest }) ?? true { longest = (budget.period, position) }
    }
}

extension ConfigurationDecoder {
    /// Reads a budget; nil if there is none, which is the default.
    mutating func budget(of outer: Fields) -> BudgetConfiguration? {
        guard let entry = outer["budget"] else {
            recordStandard("budget", of: outer)
            return nil
        }
        let known = issues.count
        let fields = section("budget", of: outer, as: .budget)
        let usd = value("usd", of: fields, as: BudgetConfiguration.expectedUSD) { (text) throws(InvalidValue) in
            try BudgetConfiguration.usd(text)
        }
        let tokens = value("tokens", of: fields, as: BudgetConfiguration.expectedTokens) {
            (text) throws(InvalidValue) in try BudgetConfiguration.tokens(text)
        }
        let period = choice("every", of: fields, as: BudgetConfiguration.Period.self)
        let isStrict = flag("strict", of: fields) ?? false
        if usd != nil, tokens != nil {
            issues.add("budget: it is of usd or of tokens: remove one of them", at: entry.keyPosition)
        } else if issues.count == known {
            if fields.lacks("usd"), fields.lacks("tokens") {
                issues.add("budget: of how much? Add usd: 20 or tokens: 5M", at: entry.keyPosition)
            }
            if fields.lacks("every") {
                issues.add("budget: for how long? Add every: month (or hour, day, week)", at: entry.keyPosition)
            }
        }
        guard let amount = usd ?? tokens, let period else { return nil }
        let budget = BudgetConfiguration(amount, every: period, isStrict: isStrict)
        budgets.add(budget, at: entry.keyPosition)
        return budget
    }

    /// Checks that the prices and the ledger that budgets require are present.
    mutating func checkBudgets(
        _ models: [ModelConfiguration], _ upstreams: [UpstreamConfiguration], _ prices: PriceList?,
        _ ledger: LedgerConfiguration, in file: Fields
    ) {
        checkMemory(of: ledger, in: file)
        if case .none = ledger.place {
            for position in budgets.strict {
                issues.add(
                    "budget: strict: true needs a ledger, and there is none: remove one of the two", at: position)
            }
        }
        guard let first = budgets.usd.first else { return }
        guard let prices else {
            warnings.add(
                "budget: no request counts, as nothing has a price because of prices: none: remove that, or write "
                    + "tokens in place of usd", at: first)
            return
        }
        let free = upstreams.filter { $0.kind == .onDevice || $0.isDeclaredLocal }.map(\.name)
        let unknown = models.filter { !isPriced($0, prices, freeAt: free) }.map { quoted($0.name) }
        guard !unknown.isEmpty else { return }
        let names = unknown.prefix(3).joined(separator: ", ") + (unknown.count > 3 ? " and others" : "")
        warnings.add(
            "budget: requests for \(names) count nothing, as no price is known: add one to a file of prices, or write "
                + "tokens in place of usd", at: first)
    }

    /// Warns if the ledger forgets usage before a budget's window ends, because a restart then forgets it too.
    private mutating func checkMemory(of ledger: LedgerConfiguration, in file: Fields) {
        guard let (period, position) = budgets.longest, ledger.lifetime < period.longest else { return }
        switch ledger.place {
        case .none, .memory: return
        default: break
        }
        let hours = period.longest.components.seconds / 3600
        warnings.add(
            "ledger_keep: a restart forgets some of a budget of each \(period.rawValue), as the ledger is kept for "
                + "less: keep it for \(hours < 24 ? "\(hours)h" : "\(hours / 24)d") or longer",
            at: file["ledger_keep"]?.keyPosition ?? position)
    }

    /// Returns whether requests of a model can have a cost. The names that match a pattern are unknown.
    private func isPriced(_ model: ModelConfiguration, _ prices: PriceList, freeAt upstreams: [String]) -> Bool {
        if model.name.patternPrefix != nil { return true }
        return model.targets.allSatisfy { target in
            upstreams.contains { $0.isExactly(target.upstream) }
                || prices.entry(for: target.model ?? model.name, publicModel: model.name) != nil
        }
    }
}
