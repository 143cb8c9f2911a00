import CHeadgate
import HeadgateConfiguration
import HeadgatePrices
import HeadgatePrimitives

/// Warnings about models that their vendors have retired or will retire soon.
enum RetiredModels {
    /// Number of days before a retirement at which warnings begin.
    private static let notice: Int64 = 60

    /// Returns the date in a number of days, such as `2026-11-28`.
    static func day(in days: Int64 = 0) -> String {
        String(Timestamp.dateTime(headgate_realtime_nanoseconds() / 1_000_000_000 + days * 86400).prefix(10))
    }

    static func warnings(of configuration: Configuration) -> [String] {
        let (today, horizon) = (day(), day(in: notice))
        return configuration.models.flatMap { model in
            model.targets.compactMap { target -> String? in
                let upstream = configuration.upstreams.first { $0.name == target.upstream }
                // A local server can serve retired models.
                guard upstream?.isLocal == false, let name = target.model ?? (model.isPattern ? nil : model.name),
                    let day = PriceList.retirement(of: name), day <= horizon
                else { return nil }
                let when = day <= today ? "its vendor retired on \(day)" : "its vendor retires on \(day)"
                return "models.\(model.name) sends requests for '\(name)', which \(when): choose another model"
            }
        }
    }
}
