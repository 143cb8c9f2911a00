import CHeadgate
import Glibc
package import HeadgateConfiguration
import HeadgateNetwork

/// Where the configuration comes from: a file that was named, else the one of `HEADGATE_CONFIG`, else the environment
/// alone.
package struct ConfigurationSource {
    /// The file that is read; nil when there is none.
    package let path: String?
    /// The folder of the recordings that are replayed, whatever the file says of them; nil to do as it says.
    let replayed: String?
    private let environment: [String: String]

    /// - Parameter replayed: a folder of recordings. They are served by themselves where no file is named.
    package init(file: String?, replaying replayed: String? = nil, environment: [String: String]) {
        let variable = replayed == nil ? environment["HEADGATE_CONFIG"] : nil
        path = file ?? variable.flatMap { $0.isEmpty ? nil : $0 }
        self.replayed = replayed
        self.environment = environment
    }

    /// Whether the recordings are all there is: no file, and no variable but that of the address.
    var isOfRecordingsAlone: Bool { replayed != nil && path == nil }

    /// - Throws: ``Complaint`` with one line per issue when there is any.
    package func load() throws -> Configuration { try check().configuration }

    /// The same, with what deserves a second look.
    package func check() throws -> CheckedConfiguration {
        guard let replayed else { return try checkFile() }
        if isOfRecordingsAlone {
            return CheckedConfiguration(
                configuration: try .replaying(replayed, environment: environment), warnings: [])
        }
        let checked = try checkFile()
        var configuration = checked.configuration
        var record = configuration.record ?? RecordConfiguration(folder: replayed)
        (record.folder, record.mode, record.bodies) = (replayed, .replay, true)
        configuration.record = record
        return CheckedConfiguration(configuration: configuration, warnings: checked.warnings)
    }

    private func checkFile() throws -> CheckedConfiguration {
        let surroundings = Surroundings(now: headgate_realtime_nanoseconds() / 1_000_000_000) { host, allowsPrivate in
            guard let address = IPAddress(host),
                case .refused(let reason) = AddressPolicy(allowsPrivate: allowsPrivate).check(address, for: host)
            else { return nil }
            return reason
        }
        return try complaining { () throws(ConfigurationError) in
            try Configuration.check(path: path, environment: environment, surroundings: surroundings)
        }
    }

    /// Where the ledger is, and so where managed keys are, whatever else is wrong: secrets of the gateway's environment
    /// may be missing in this one.
    ///
    /// - Throws: ``Complaint``.
    package func ledgerPlace() throws -> LedgerConfiguration.Place {
        try complaining { () throws(ConfigurationError) in
            try Configuration.ledgerPlace(path: path, environment: environment)
        }
    }

    /// Every setting in force, with where it came from.
    ///
    /// - Throws: ``Complaint``.
    package func explain() throws -> [EffectiveSetting] {
        try complaining { () throws(ConfigurationError) in
            try Configuration.explain(path: path, environment: environment)
        }
    }

    /// An empty file is a valid one at the start; under a running gateway it is one that somebody is about to write.
    ///
    /// - Throws: ``Complaint``.
    func checkIsWritten() throws {
        guard let path else { return }
        var status = stat()
        guard stat(path, &status) == 0, status.st_size == 0 else { return }
        throw Complaint("\(path):1:1: error: the file is empty: write it, then reload again", exitCode: .configuration)
    }

    private func complaining<Value>(_ body: () throws(ConfigurationError) -> Value) throws -> Value {
        do throws(ConfigurationError) {
            return try body()
        } catch {
            throw Complaint(error.issues.map(\.description).joined(separator: "\n"), exitCode: .configuration)
        }
    }
}
