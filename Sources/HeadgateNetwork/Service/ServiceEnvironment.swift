/// Settings that a service manager (systemd) passes to a process in its environment.
package struct ServiceEnvironment: Sendable, Equatable {
    /// Descriptor that was open before the process started, with its name in the unit.
    package struct Descriptor: Sendable, Equatable {
        package let number: Int32
        package let name: String

        package init(number: Int32, name: String) {
            self.number = number
            self.name = name
        }
    }

    /// Variables that concern only this process, and that a child must not use.
    package static let variables = [
        "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PIDFDID", "NOTIFY_SOCKET", "WATCHDOG_PID",
        "WATCHDOG_USEC",
    ]

    /// Variables that a successor of this process needs, too.
    package static let lastingVariables: Set<String> = ["NOTIFY_SOCKET", "WATCHDOG_USEC"]

    /// Passed sockets, in the order of their unit; empty without socket activation.
    package let descriptors: [Descriptor]
    /// Address for notifications: an absolute path, or `@` and an abstract name.
    package let notificationAddress: String?
    /// Half of the time after which a silent process counts as hung; nil without a watchdog.
    package let watchdogInterval: Duration?

    private static let firstDescriptor: Int32 = 3
    private static let maximumDescriptors: Int32 = 64

    /// - Parameter processID: the number of this process; settings for another one are ignored.
    /// - Throws: ``ServiceEnvironmentError`` for an invalid variable.
    package init(_ environment: [String: String], processID: Int32) throws(ServiceEnvironmentError) {
        descriptors = try Self.descriptors(environment, processID: processID)
        notificationAddress = try Self.notificationAddress(environment)
        watchdogInterval = try Self.watchdogInterval(environment, processID: processID)
    }

    private static func descriptors(
        _ environment: [String: String], processID: Int32
    ) throws(ServiceEnvironmentError) -> [Descriptor] {
        guard try number("LISTEN_PID", environment, in: 1...Int32.max) == processID else { return [] }
        let count = try number("LISTEN_FDS", environment, in: 0...maximumDescriptors) ?? 0
        var names: [String] = []
        if let list = environment["LISTEN_FDNAMES"] {
            names = list.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            guard names.count == count else {
                throw ServiceEnvironmentError(
                    variable: "LISTEN_FDNAMES", value: list, expected: "\(count) names, as LISTEN_FDS says")
            }
        }
        return (0..<count).map { index in
            Descriptor(number: firstDescriptor + index, name: names.isEmpty ? "unknown" : names[Int(index)])
        }
    }

    private static func notificationAddress(
        _ environment: [String: String]
    ) throws(ServiceEnvironmentError) -> String? {
        guard let address = environment["NOTIFY_SOCKET"], !address.isEmpty else { return nil }
        guard let first = address.utf8.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@"),
            2...107 ~= address.utf8.count
        else {
            throw ServiceEnvironmentError(
                variable: "NOTIFY_SOCKET", value: address,
                expected: "an absolute path or @ and an abstract name, of at most 107 bytes")
        }
        return address
    }

    private static func watchdogInterval(
        _ environment: [String: String], processID: Int32
    ) throws(ServiceEnvironmentError) -> Duration? {
        if let watched = try number("WATCHDOG_PID", environment, in: 1...Int32.max), watched != processID { return nil }
        guard let limit = try number("WATCHDOG_USEC", environment, in: Int64(1)...Int64.max) else { return nil }
        return .microseconds(limit) / 2
    }

    private static func number<Number: FixedWidthInteger & Sendable>(
        _ variable: String, _ environment: [String: String], in range: ClosedRange<Number>
    ) throws(ServiceEnvironmentError) -> Number? {
        guard let text = environment[variable], !text.isEmpty else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Number(text), range.contains(number)
        else {
            throw ServiceEnvironmentError(
                variable: variable, value: text,
                expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}

/// Error for a variable of the service manager that cannot be used.
package struct ServiceEnvironmentError: Error, Equatable, CustomStringConvertible {
    package let variable: String
    package let value: String
    package let expected: String

    package var description: String {
        "the service manager's \(variable) is '\(value)': expected \(expected); unset it to start without it"
    }
}
