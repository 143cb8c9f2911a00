import CHeadgate
package import HeadgateConfiguration
import HeadgateLibC
import HeadgateNetwork

/// Source of the configuration: a file (see ``ConfigurationPlace``), or else only the environment.
package struct ConfigurationSource {
    /// File that is read; nil if there is none.
    package let place: ConfigurationPlace?
    /// Folder of the recordings to replay, whatever the file says about recordings; nil to follow the file.
    let replayed: String?
    private let environment: [String: String]

    /// - Parameters:
    ///   - replayed: a folder of recordings, which are the only source of responses if no option names a file.
    ///   - system: the system's configuration file.
    package init(
        file: String?, replaying replayed: String? = nil, environment: [String: String],
        system: String = ConfigurationPlace.systemPath
    ) {
        place =
            replayed != nil && file == nil
            ? nil : ConfigurationPlace(option: file, environment: environment, system: system)
        self.replayed = replayed
        self.environment = environment
    }

    /// The path of the file that is read.
    package var path: String? { place?.path }

    /// Whether the recordings are the only source: there is no file, and the only variable that counts is that of the
    /// address.
    var isOfRecordingsAlone: Bool { replayed != nil && path == nil }

    /// Reads the configuration.
    ///
    /// - Throws: ``Complaint`` with one line per issue.
    package func load() throws -> Configuration { try check().configuration }

    /// Reads the configuration without the gateway's own secrets, which the environment of another command lacks.
    /// Settings from secrets or unset variables are left out, except for the addresses to listen on.
    ///
    /// - Throws: ``Complaint``.
    package func loadWithoutSecrets() throws -> Configuration {
        try checkFile(noting: nil, hasSecrets: false).configuration
    }

    /// Reads the configuration, with its warnings.
    package func check() throws -> CheckedConfiguration { try check(noting: nil) }

    /// - Parameter sightings: records the state of each file before it is read.
    func check(noting sightings: FileSightings?) throws -> CheckedConfiguration {
        guard let replayed else { return try checkFile(noting: sightings) }
        if isOfRecordingsAlone {
            return CheckedConfiguration(
                configuration: try .replaying(replayed, environment: environment), warnings: [])
        }
        let checked = try checkFile(noting: sightings)
        var configuration = checked.configuration
        var record = configuration.record ?? RecordConfiguration(folder: replayed)
        (record.folder, record.mode, record.bodies) = (replayed, .replay, true)
        configuration.record = record
        return CheckedConfiguration(configuration: configuration, warnings: checked.warnings)
    }

    private func checkFile(noting sightings: FileSightings?, hasSecrets: Bool = true) throws -> CheckedConfiguration {
        try place?.checkTrust()
        var surroundings = Surroundings(now: headgate_realtime_nanoseconds() / 1_000_000_000) { host, allowsPrivate in
            guard let address = IPAddress(host),
                case .refused(let reason) = AddressPolicy(allowsPrivate: allowsPrivate).check(address, for: host)
            else { return nil }
            return reason
        }
        surroundings.hasSecrets = hasSecrets
        if let sightings { surroundings.willRead = { sightings.note($0) } }
        return try complaining { () throws(ConfigurationError) in
            try Configuration.check(path: path, environment: environment, surroundings: surroundings)
        }
    }

    /// Returns the place of the ledger, and so of managed keys, even if other settings are invalid. Secrets of the
    /// gateway's environment can be missing here.
    ///
    /// - Throws: ``Complaint``.
    package func ledgerPlace() throws -> LedgerConfiguration.Place {
        try place?.checkTrust()
        return try complaining { () throws(ConfigurationError) in
            try Configuration.ledgerPlace(path: path, environment: environment)
        }
    }

    /// Returns every setting in force, with its origin.
    ///
    /// - Throws: ``Complaint``.
    package func explain() throws -> [EffectiveSetting] {
        try place?.checkTrust()
        return try complaining { () throws(ConfigurationError) in
            try Configuration.explain(path: path, environment: environment)
        }
    }

    /// Checks that the file is not empty. At the start, an empty file is valid; while the gateway runs, it is a file
    /// that is being written.
    ///
    /// - Throws: ``Complaint``.
    func checkIsWritten() throws {
        guard let path, isEmpty else { return }
        throw Complaint("\(path):1:1: error: the file is empty: write it, then reload again", exitCode: .configuration)
    }

    /// Whether there is an empty file.
    var isEmpty: Bool {
        guard let path else { return false }
        var status = stat()
        return stat(path, &status) == 0 && status.st_size == 0
    }

    /// Returns the file to watch.
    ///
    /// - Throws: ``Complaint`` if there is none.
    func fileToWatch() throws -> String {
        guard let path else {
            throw Complaint("--watch: there is no configuration file: name one with --config", exitCode: .configuration)
        }
        return path
    }

    private func complaining<Value>(_ body: () throws(ConfigurationError) -> Value) throws -> Value {
        do throws(ConfigurationError) {
            return try body()
        } catch {
            throw Complaint(error.issues.map(\.description).joined(separator: "\n"), exitCode: .configuration)
        }
    }
}

package enum ProcessEnvironment {
    package static var current: [String: String] {
        var variables: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if let equals = text.firstIndex(of: "=") {
                variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            next += 1
        }
        return variables
    }
}
