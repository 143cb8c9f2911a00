import HeadgateLibC

extension ProcessReading {
    /// Returns the current figures; nil if the kernel does not provide them.
    static func now() -> ProcessReading? {
        guard let process = text(of: "/proc/self/stat"), let system = text(of: "/proc/stat") else { return nil }
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return ProcessReading(
            stat: process, systemStat: system, ticks: sysconf(Int32(_SC_CLK_TCK)), page: sysconf(Int32(_SC_PAGESIZE)),
            openDescriptors: entries(of: "/proc/self/fd"),
            mostDescriptors: limit.rlim_cur == .max ? nil : Int(clamping: limit.rlim_cur))
    }

    /// - Parameters:
    ///   - stat: the text of `/proc/self/stat`.
    ///   - systemStat: the text of `/proc/stat`.
    ///   - ticks: ticks of the kernel's clock per second.
    ///   - page: bytes of a memory page.
    init?(
        stat: String, systemStat: String, ticks: Int, page: Int, openDescriptors: Int, mostDescriptors: Int?
    ) {
        // The name of the program, in parentheses, can contain anything.
        guard let end = stat.utf8.lastIndex(of: 0x29) else { return nil }
        let fields = stat.utf8[end...].dropFirst().split(separator: 0x20).map { Int(String($0) ?? "") }
        let booted = systemStat.split(separator: "\n").first { $0.hasPrefix("btime ") }.flatMap { Int($0.dropFirst(6)) }
        guard fields.count > 21, let booted, let user = fields[11], let system = fields[12], let threads = fields[17],
            let started = fields[19], let virtual = fields[20], let resident = fields[21]
        else { return nil }
        processorTime = Double(user + system) / Double(ticks)
        startTime = Double(booted) + Double(started) / Double(ticks)
        virtualMemory = virtual
        residentMemory = resident * page
        self.threads = threads
        self.openDescriptors = openDescriptors
        self.mostDescriptors = mostDescriptors
    }

    /// Returns the text of a file. Files of `/proc` have no size, so they are read until their end.
    private static func text(of path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func entries(of path: String) -> Int {
        guard let folder = opendir(path) else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Not counted: the folder itself, its parent, and the descriptor that reads them.
        return max(0, count - 3)
    }
}
