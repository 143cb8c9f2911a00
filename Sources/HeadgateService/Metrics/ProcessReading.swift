import HeadgateGateway
import HeadgateRelay

/// The kernel's figures about this process, with the standard names of Prometheus clients.
struct ProcessReading: Equatable {
    /// Processor time of user and system, in seconds.
    let processorTime: Double
    /// Start of the process, in seconds since 1970.
    let startTime: Double
    /// Virtual memory in bytes.
    let virtualMemory: Int
    let residentMemory: Int
    let threads: Int
    let openDescriptors: Int
    /// Limit on open descriptors; nil for none.
    let mostDescriptors: Int?

    var families: [MetricFamily] {
        [
            MetricFamily(
                "process_cpu_seconds", .counter, unit: .seconds, help: "Processor time of the user and the system.",
                value: .number(processorTime)),
            MetricFamily(
                "process_start_time_seconds", .gauge, unit: .seconds, help: "When it began, since 1970.",
                value: .number(startTime)),
            MetricFamily(
                "process_virtual_memory_bytes", .gauge, unit: .bytes, help: "Virtual memory.",
                value: .count(virtualMemory)),
            MetricFamily(
                "process_resident_memory_bytes", .gauge, unit: .bytes, help: "Resident memory.",
                value: .count(residentMemory)),
            MetricFamily("process_threads", .gauge, help: "Threads.", value: .count(threads)),
            MetricFamily("process_open_fds", .gauge, help: "Open descriptors.", value: .count(openDescriptors)),
            MetricFamily(
                "process_max_fds", .gauge, help: "Descriptors that may be open.",
                value: mostDescriptors.map { .count($0) }),
        ]
    }

    /// Metric with the program's version.
    static var build: MetricFamily {
        var family = MetricFamily("headgate_build_info", .gauge, help: "The version of the gateway.")
        family.add(.count(1), [MetricLabel("version", GatewayVersion.text)])
        return family
    }
}
