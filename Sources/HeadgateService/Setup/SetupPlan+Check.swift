import HeadgateConfiguration

extension SetupPlan {
    /// Checks whether a gateway could serve the written configuration, once missing variables are set and pasted keys
    /// are in their files.
    ///
    /// - Throws: ``Complaint``.
    package func check(file: String, isKeyed: Bool, environment: [String: String]) throws {
        var (complete, plan) = (environment, self)
        for (index, upstream) in upstreams.enumerated() {
            // The key's file does not exist yet.
            if let key = upstream.pastedKey, let variable = upstream.provider.keyVariable {
                plan.upstreams[index].key = .variable
                complete[variable] = key
            }
            if let variable = upstream.provider.keyVariable { SetupPlan.set(variable, "placeholder", in: &complete) }
            guard let variable = upstream.provider.urlVariable, upstream.url == nil, upstream.provider.url == nil else {
                continue
            }
            SetupPlan.set(variable, "https://placeholder.openai.azure.com", in: &complete)
        }
        do {
            let checked = try Configuration.check(
                text: plan.text, file: file, environment: complete, surroundings: Surroundings { _, _ in nil })
            try checked.configuration.checkServable(isKeyed: isKeyed, environment: complete)
        } catch let error as ConfigurationError {
            let issues = error.issues.map(\.description).joined(separator: "\n")
            throw Complaint("nothing was written, as this would not work:\n\(issues)", exitCode: .configuration)
        }
    }

    private static func set(_ variable: String, _ value: String, in environment: inout [String: String]) {
        if (environment[variable] ?? "").isEmpty { environment[variable] = value }
    }
}
