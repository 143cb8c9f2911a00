import CHeadgate
import HeadgateLibC
package import HeadgateNetwork

/// The service manager (systemd) that started this process: its settings, and notifications about the gateway's state.
///
/// Without a manager there are no settings, and notifications do nothing. Notifications can be sent from any thread.
package struct ServiceManager: Sendable {
    /// Listening sockets that replace the configured addresses. The manager keeps them open: closing one here loses no
    /// waiting connection, and the file of a Unix socket must not be removed.
    let sockets: [InheritedSocket]
    /// Interval at which a loop must call ``watchdog()``; nil without a watchdog.
    let watchdogInterval: Duration?
    /// Variables with which a successor finds the manager.
    let variables: [String: String]
    private let notifications: NotificationSocket?

    /// Reads the settings, and removes them from the environment, so that no child uses them. Must be called before
    /// there is another thread.
    ///
    /// - Parameter handedOver: the manager's sockets that an earlier gateway has handed over.
    /// - Throws: ``Complaint`` if the settings are invalid, or a socket cannot be listened on.
    package static func adopt(_ handedOver: [InheritedSocket] = []) throws -> ServiceManager {
        do {
            let environment = ProcessEnvironment.current
            let told = try ServiceEnvironment(environment, processID: getpid())
            for variable in ServiceEnvironment.variables { unsetenv(variable) }
            return ServiceManager(
                sockets: try told.descriptors.map { try InheritedSocket($0) } + handedOver,
                watchdogInterval: told.watchdogInterval,
                variables: environment.filter { ServiceEnvironment.lastingVariables.contains($0.key) },
                notifications: told.notificationAddress.flatMap { NotificationSocket(address: $0) })
        } catch {
            throw Complaint("\(error)", exitCode: .configuration)
        }
    }

    /// Whether a manager started this process and wants to be notified.
    var isPresent: Bool { notifications != nil }

    /// Reports that the gateway serves, or that a reload has ended.
    func ready() { tell(.ready) }

    /// Reports that a reload begins.
    func reloading() { tell(.reloading(monotonicNanoseconds: headgate_monotonic_nanoseconds())) }

    /// Reports that the gateway stops, and finishes requests in flight.
    func stopping() { tell(.stopping) }

    /// Reports that another process is the service from now on.
    func handOver(to process: Int32) { tell(.mainProcess(process)) }

    /// Reports that the gateway is alive.
    func watchdog() { notifications?.send(.watchdog) }

    private func tell(_ notice: ServiceNotice) {
        guard let error = notifications?.send(notice), error != 0 else { return }
        complain("headgate: the service manager did not take '\(notice.text)': \(systemErrorText(error))")
    }
}
