import ArgumentParser
import HeadgateConfiguration
internal import HeadgateGateway
import HeadgateLibC
import HeadgateNetwork
import HeadgateRelay
import HeadgateService

struct KeyOffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "off", abstract: "Turn authentication off: a gateway without keys admits everyone.",
        discussion: """
            Takes effect at the next start. Revoking the last managed key does not turn authentication off.

            The command refuses in four cases: managed keys are left, a gateway runs, the configuration has keys, or \
            an upstream has a secret, because its owner pays for every client.
            """)

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        try reporting {
            let environment = ProcessEnvironment.current
            guard try options.source.loadWithoutSecrets().keys.isEmpty else {
                throw Complaint("the configuration has keys: remove 'keys:' from \(options.source.path ?? "it") first")
            }
            // Loads the secrets too, because a value that cannot be read here might be one.
            let configuration = try options.source.load()
            guard case .file(let path, _)? = ManagedKeyPlace(configuration.ledger.place, environment) else {
                throw Complaint("keys are managed in a database that other gateways share: they stay on")
            }
            guard access(path, F_OK) == 0 else { throw Complaint("authentication by managed keys is off already") }
            guard !ClientAuthentication.needsKeyForUpstreams(configuration) else {
                throw Complaint(
                    "an upstream holds a secret, so that clients need a key: without one anybody who connects could "
                        + "use it")
            }
            let left = try options.keyRegister().list(after: "", limit: 1)
            guard left.isEmpty else {
                throw Complaint("the key '\(left[0].name)' is left: revoke all keys first, with 'headgate key revoke'")
            }
            if let running = RuntimeRecord.running(environment).first {
                throw Complaint(
                    "a gateway runs (pid \(running.pid)) and keeps asking for keys until it ends: stop it first, with "
                        + "'kill \(running.pid)'")
            }
            for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
            guard access(path, F_OK) != 0 else { throw Complaint("cannot remove \(path): \(systemErrorText(errno))") }
            complain("Authentication is off: from its next start the gateway answers requests without a key.")
        }
    }
}
