@testable import HeadgateGateway
@testable import HeadgateRelay

extension LimitInstant {
    /// Returns the instant at which both clocks have advanced by this time since ``InProcessGateway/now``.
    static func after(_ nanoseconds: UInt64) -> LimitInstant {
        LimitInstant(monotonic: nanoseconds, realtime: InProcessGateway.now + Int64(nanoseconds))
    }
}

extension LimitCounters {
    mutating func take(_ claims: inout [LimitClaim], at now: UInt64) -> LimitRefusal? {
        take(&claims, at: .after(now), ledgerWorks: true)
    }

    func levels(of claims: [LimitClaim], at now: UInt64) -> LimitLevels { levels(of: claims, at: .after(now)) }
}
