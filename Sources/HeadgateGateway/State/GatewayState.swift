package import HeadgateHTTP

/// What outlives a reload: it belongs to the process and not to one configuration, and goes by names.
///
/// Every loop reads and writes it. What stands behind a lock is done in a few steps, however much is kept.
package final class GatewayState: Sendable {
    /// What request bodies take together.
    package let bodyMemory = BodyMemory()
    let wrongKeys: WrongKeys
    let responseMakers: ResponseMakersAccess

    /// - Parameters:
    ///   - wrongKeys: where they are counted; by default nobody is slowed.
    ///   - responseMakers: where they are remembered; by default nowhere, and stored responses are for admins alone.
    package init(wrongKeys: WrongKeys = .unlimited, responseMakers: @escaping ResponseMakersAccess = { _ in }) {
        self.wrongKeys = wrongKeys
        self.responseMakers = responseMakers
    }
}
