// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct UsageReport: Codable, Hashable, Sendable, JSONWritable {
        public enum ByPayload: String, Codable, Hashable, Sendable, JSONWritable, CaseIterable {
            case key
            case model
            case upstream
            case day
            case minute
        }

        public var by: ByPayload
        /// From when on; later than asked for where less is kept (`ledger_keep`).
        public var since: String
        public var rows: [Components.Schemas.UsageRow]

        public init(by: ByPayload, since: String, rows: [Components.Schemas.UsageRow]) {
            self.by = by
            self.since = since
            self.rows = rows
        }

        private enum CodingKeys: String, CodingKey {
            case by
            case since
            case rows
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("by", self.by)
            try json.member("rows", self.rows)
            try json.member("since", self.since)
            json.endObject()
        }
    }
}
