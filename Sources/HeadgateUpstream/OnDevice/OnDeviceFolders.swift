internal import HeadgateLibC
internal import HeadgateNetwork

/// Private folders of the on-device model: one for installed files, one for this process's script and socket.
struct OnDeviceFolders: Sendable {
    /// Folder of installed files, which is kept between runs.
    let data: String
    /// Folder of this process, created with mode 0700.
    let runtime: String
    /// Removes ``runtime`` if this process cannot.
    private let caretaker: Caretaker?

    var script: String { OnDeviceFolders.contents(of: runtime)[0] }
    var socket: String { OnDeviceFolders.contents(of: runtime)[1] }

    /// - Throws: ``OnDeviceError`` if a folder cannot be created.
    init(environment: [String: String]) throws {
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 }
        let base =
            environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home.map { $0 + "/.local/share" }
        guard let base else { throw OnDeviceError("HOME is not set, so there is no folder for the on-device model") }
        data = base + "/headgate/on-device"
        try OnDeviceFolders.make(data)

        let parent = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        var template = Array((parent + "/headgate-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw OnDeviceError("cannot make a folder in \(parent): \(systemErrorText(errno))")
        }
        runtime = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        caretaker = Caretaker(ofPaths: OnDeviceFolders.contents(of: runtime) + [runtime])
        do { try writeScript() } catch {
            removeRuntime()
            throw error
        }
    }

    private func writeScript() throws {
        let descriptor = open(script, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw OnDeviceError("cannot write to \(runtime): \(systemErrorText(errno))") }
        defer { close(descriptor) }
        let text = Array(onDeviceScript.utf8)
        guard write(descriptor, text, text.count) == text.count else {
            throw OnDeviceError("cannot write to \(runtime): \(systemErrorText(errno))")
        }
    }

    func removeRuntime() {
        for path in OnDeviceFolders.contents(of: runtime) { unlink(path) }
        rmdir(runtime)
    }

    private static func contents(of runtime: String) -> [String] {
        [runtime + "/on_device.py", runtime + "/llama.sock"]
    }

    /// Creates a folder of mode 0700, and its parents.
    private static func make(_ path: String) throws {
        var made = ""
        for part in path.split(separator: "/") {
            made += "/" + part
            if mkdir(made, 0o700) != 0, errno != EEXIST {
                throw OnDeviceError("cannot make the folder \(made): \(systemErrorText(errno))")
            }
        }
        chmod(path, 0o700)
    }
}

/// Reason why there is no on-device model, in one line with advice.
package struct OnDeviceError: Error, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
}
