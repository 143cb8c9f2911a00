import HeadgateLibC

/// Returns a Unix socket bound to a path, or to `@` and an abstract name; -1 if that fails.
func unixSocket(at address: String, kind: __socket_type, listens: Bool = false) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(kind.rawValue), 0)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(address.utf8)
    withUnsafeMutableBytes(of: &name.sun_path) { path in
        path.copyBytes(from: bytes)
        if bytes.first == UInt8(ascii: "@") { path[0] = 0 }
    }
    let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    let status = withUnsafePointer(to: &name) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
    }
    guard status == 0, !listens || listen(descriptor, 1) == 0 else {
        close(descriptor)
        return -1
    }
    return descriptor
}
