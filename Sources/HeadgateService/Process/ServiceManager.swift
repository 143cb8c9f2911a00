import CHeadgate
import Glibc
import HeadgateNetwork

/// The service manager (systemd) that started this process: what it passed, and how it is told how the gateway is
/// doing.
///
/// Without one, nothing is passed and every notice goes nowhere. Notices may be sent from any thread.
package struct ServiceManager: Sendable {
    /// Listening sockets to serve on in place of the configured addresses. The manager keeps them: closing one here
    /// loses no waiting connection, and the file of a Unix socket is not ours to remove.
    let sockets: [InheritedSocket]
    /// How often ``watchdog()`` is to be called from a loop; nil when nobody watches.
    let watchdogInterval: Duration?
    private let notifications: NotificationSocket?

    /// Reads what this process was told, and removes it from the environment, so that no child takes it for its own.
    /// To be called first, before there is another thread.
    ///
    /// - Throws: ``Complaint`` when it makes no sense, or a passed socket cannot be listened on.
    package static func adopt() throws -> ServiceManager {
        do {
            let told = try ServiceEnvironment(ProcessEnvironment.current, processID: getpid())
            for variable in ServiceEnvironment.variables { unsetenv(variable) }
            return ServiceManager(
                sockets: try told.descriptors.map { try InheritedSocket($0) }, watchdogInterval: told.watchdogInterval,
                notifications: told.notificationAddress.flatMap { NotificationSocket(address: $0) })
        } catch {
            throw Complaint("\(error)", exitCode: .configuration)
        }
    }

    /// The gateway serves; also the end of a reload.
    func ready() { tell(.ready) }

    /// A reload begins.
    func reloading() { tell(.reloading(monotonicNanoseconds: headgate_monotonic_nanoseconds())) }

    /// The gateway finishes what is in flight.
    func stopping() { tell(.stopping) }

    /// A sign of life.
    func watchdog() { notifications?.send(.watchdog) }

    private func tell(_ notice: ServiceNotice) {
        guard let error = notifications?.send(notice), error != 0 else { return }
        complain("headgate: the service manager did not take '\(notice.text)': \(systemErrorText(error))")
    }
}
