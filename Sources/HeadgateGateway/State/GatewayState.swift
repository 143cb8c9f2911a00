package import HeadgateHTTP

/// State of the process that outlives a reload.
///
/// Every loop reads and writes it. Locks are held for a constant time, however much is kept.
package final class GatewayState: Sendable {
    /// The memory of all request bodies.
    package let bodyMemory = BodyMemory()
    let wrongKeys: WrongKeys
    let responseMakers: ResponseMakersAccess

    /// - Parameters:
    ///   - wrongKeys: counts them; by default without a limit.
    ///   - responseMakers: who created which stored response; by default nothing is kept, and they are for admins
    ///     alone.
    package init(wrongKeys: WrongKeys = .unlimited, responseMakers: @escaping ResponseMakersAccess = { _ in }) {
        self.wrongKeys = wrongKeys
        self.responseMakers = responseMakers
    }
}
