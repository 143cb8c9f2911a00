import HeadgateNetwork
import Testing

@Suite struct ServiceEnvironmentTests {
    private let own: Int32 = 4711

    private func read(_ environment: [String: String]) throws -> ServiceEnvironment {
        try ServiceEnvironment(environment, processID: own)
    }

    @Test func emptyEnvironmentHasNoService() throws {
        let told = try read(["PATH": "/usr/bin", "NOTIFY_SOCKET": "", "LISTEN_PID": ""])
        #expect(told.descriptors.isEmpty)
        #expect(told.notificationAddress == nil)
        #expect(told.watchdogInterval == nil)
    }

    @Test func descriptorsStartAtThreeAndHaveTheirNames() throws {
        let told = try read(["LISTEN_PID": "4711", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "http:admin"])
        #expect(told.descriptors.map(\.number) == [3, 4])
        #expect(told.descriptors.map(\.name) == ["http", "admin"])
    }

    @Test func descriptorsWithoutNamesAreUnknown() throws {
        let told = try read(["LISTEN_PID": "4711", "LISTEN_FDS": "1"])
        #expect(told.descriptors.map(\.name) == ["unknown"])
    }

    @Test func anEmptyNameCounts() throws {
        let told = try read(["LISTEN_PID": "4711", "LISTEN_FDS": "2", "LISTEN_FDNAMES": ":b"])
        #expect(told.descriptors.map(\.name) == ["", "b"])
    }

    @Test(arguments: ["4710", "1"])
    func descriptorsOfAnotherProcessAreIgnored(process: String) throws {
        let told = try read(["LISTEN_PID": process, "LISTEN_FDS": "many", "LISTEN_FDNAMES": "a:b:c"])
        #expect(told.descriptors.isEmpty)
    }

    @Test(arguments: [
        ("LISTEN_PID", ["LISTEN_PID": "self", "LISTEN_FDS": "1"]),
        ("LISTEN_PID", ["LISTEN_PID": "0", "LISTEN_FDS": "1"]),
        ("LISTEN_FDS", ["LISTEN_PID": "4711", "LISTEN_FDS": "-1"]),
        ("LISTEN_FDS", ["LISTEN_PID": "4711", "LISTEN_FDS": "+1"]),
        ("LISTEN_FDS", ["LISTEN_PID": "4711", "LISTEN_FDS": "65"]),
        ("LISTEN_FDS", ["LISTEN_PID": "4711", "LISTEN_FDS": "99999999999999999999"]),
        ("LISTEN_FDNAMES", ["LISTEN_PID": "4711", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "one"]),
        ("LISTEN_FDNAMES", ["LISTEN_PID": "4711", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "one:two"]),
        ("NOTIFY_SOCKET", ["NOTIFY_SOCKET": "run/notify"]),
        ("NOTIFY_SOCKET", ["NOTIFY_SOCKET": "@"]),
        ("NOTIFY_SOCKET", ["NOTIFY_SOCKET": "/" + String(repeating: "a", count: 107)]),
        ("WATCHDOG_USEC", ["WATCHDOG_USEC": "0"]),
        ("WATCHDOG_USEC", ["WATCHDOG_USEC": "30s"]),
        ("WATCHDOG_PID", ["WATCHDOG_USEC": "1000", "WATCHDOG_PID": "x"]),
    ])
    func nonsenseIsRefusedByName(variable: String, environment: [String: String]) {
        let error = #expect(throws: ServiceEnvironmentError.self) { try read(environment) }
        #expect(error?.variable == variable)
        #expect(error?.value == environment[variable])
    }

    @Test(arguments: ["/run/systemd/notify", "@/org/freedesktop/notify", "/" + String(repeating: "a", count: 106)])
    func noticesGoToAPathOrAnAbstractName(address: String) throws {
        #expect(try read(["NOTIFY_SOCKET": address]).notificationAddress == address)
    }

    @Test func watchdogNoticesComeTwicePerLimit() throws {
        #expect(try read(["WATCHDOG_USEC": "30000000"]).watchdogInterval == .seconds(15))
        #expect(try read(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "4711"]).watchdogInterval == .seconds(15))
        #expect(try read(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "4712"]).watchdogInterval == nil)
    }

    @Test func everyReadVariableIsRemoved() {
        let all = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC"]
        #expect(Set(all).isSubset(of: ServiceEnvironment.variables))
    }
}
