internal import CHeadgate

extension NameResolver {
    /// Asks `getaddrinfo`, which knows the hosts file, the search domains and the name servers of this system. Blocks
    /// for as long as they take.
    package static func systemLookup(_ name: String) -> Result<[IPAddress], NameError> {
        var found = [headgate_address](repeating: headgate_address(), count: 32)
        var problem = [CChar](repeating: 0, count: 128)
        let count = headgate_resolve(name, &found, Int32(found.count), &problem, problem.count)
        guard count >= 0 else {
            return .failure(
                NameError(problem.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }))
        }
        return .success(found.prefix(Int(count)).map { IPAddress($0) })
    }
}
