import CHeadgate
import Glibc
package import HeadgateConfiguration
import HeadgateNetwork

/// Where the configuration comes from: a file that was named, else the one of `HEADGATE_CONFIG`, else the environment
/// alone.
package struct ConfigurationSource {
    /// The file that is read; nil when there is none.
    package let path: String?
    private let environment: [String: String]

    package init(file: String?, environment: [String: String]) {
        path = file ?? environment["HEADGATE_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
        self.environment = environment
    }

    /// - Throws: ``Complaint`` with one line per issue when there is any.
    package func load() throws -> Configuration { try check().configuration }

    /// The same, with what deserves a second look.
    package func check() throws -> CheckedConfiguration {
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
