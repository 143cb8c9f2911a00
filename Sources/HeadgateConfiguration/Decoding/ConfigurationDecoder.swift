/// Turns the node tree into a ``Configuration``, going on after each issue so that one run reports them all.
struct ConfigurationDecoder {
    static let keys = ["listen", "loops", "upstreams", "models", "keys", "limits"]

    let environment: [String: String]
    var issues: IssueList
    /// What interpolation may still produce in all scalars together: a short text could name a long variable often.
    var interpolationBudget = ConfigurationFile.maximumBytes

    init(environment: [String: String], issues: IssueList) {
        self.environment = environment
        self.issues = issues
    }

    mutating func configuration(from root: YAMLNode) throws(ConfigurationError) -> Configuration {
        let fields = root.isNull ? Fields() : fields(of: root, known: Self.keys, in: "the file")
        guard let fields else { throw ConfigurationError(issues: issues.sorted) }
        let configuration = configuration(from: fields)
        guard issues.isEmpty else { throw ConfigurationError(issues: issues.sorted) }
        return configuration
    }

    /// Its result is complete only when there are no issues.
    private mutating func configuration(from fields: Fields) -> Configuration {
        let fromFile = fields["listen"].flatMap { entry in
            decode(entry, as: ListenAddress.expected) { (text) throws(InvalidValue) in
                try ListenAddress(parsing: text)
            }
        }
        let listen = variable("HEADGATE_LISTEN") { (text) throws(InvalidValue) in try ListenAddress(parsing: text) }
        let loops = wholeNumber(fields["loops"], in: 1...1024)
        let upstreams = upstreams(in: fields)
        let models = models(in: fields, upstreams: upstreams)
        let keys = keys(fields["keys"])
        let limits = limits(fields["limits"])
        return Configuration(
            listeners: [ListenerConfiguration(address: listen ?? fromFile ?? .standard)], loops: loops,
            upstreams: upstreams.decoded, models: models,
            keys: keys, limits: limits)
    }
}
