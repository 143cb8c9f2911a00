// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct StatusBudget: Codable, Hashable, Sendable, JSONWritable {
        public enum KindPayload: String, Codable, Hashable, Sendable, JSONWritable, CaseIterable {
            case key
            case group
            case gateway
        }

        public enum UnitPayload: String, Codable, Hashable, Sendable, JSONWritable, CaseIterable {
            case usd
            case tokens
        }

        public enum EveryPayload: String, Codable, Hashable, Sendable, JSONWritable, CaseIterable {
            case hour
            case day
            case week
            case month
        }

        public var kind: KindPayload
        /// Of the key or the group.
        public var name: String?
        public var unit: UnitPayload
        public var every: EveryPayload
        /// What may be used in that time.
        public var amount: Double
        /// What was used since it began; absent while that is not known.
        public var used: Double?
        /// When it resets.
        public var until: String

        public init(
            kind: KindPayload,
            name: String? = nil,
            unit: UnitPayload,
            every: EveryPayload,
            amount: Double,
            used: Double? = nil,
            until: String
        ) {
            self.kind = kind
            self.name = name
            self.unit = unit
            self.every = every
            self.amount = amount
            self.used = used
            self.until = until
        }

        private enum CodingKeys: String, CodingKey {
            case kind
            case name
            case unit
            case every
            case amount
            case used
            case until
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("amount", self.amount)
            try json.member("every", self.every)
            try json.member("kind", self.kind)
            try json.member("name", ifPresent: self.name)
            try json.member("unit", self.unit)
            try json.member("until", self.until)
            try json.member("used", ifPresent: self.used)
            json.endObject()
        }
    }
}
