/// Recording and replay of exchanges with upstreams.
package struct RecordConfiguration: Sendable, Equatable {
    package enum Mode: String, Sendable, CaseIterable {
        case record
        /// Requests are only answered from recordings and never sent.
        case replay
        /// Requests without a recording are sent and recorded.
        case recordOnMiss = "record_on_miss"
    }

    /// Time at which the parts of a recording are sent.
    package enum Pace: String, Sendable, CaseIterable {
        case atOnce = "at_once"
        case recorded
    }

    /// Absolute path of the folder.
    package var folder: String
    package var mode: Mode
    /// Whether the bodies of requests and responses are recorded.
    package var bodies = true
    /// Members of requests that are ignored when a recording is looked up.
    package var ignored: [String] = []
    package var pace = Pace.atOnce

    package init(folder: String, mode: Mode = .record) {
        self.folder = folder
        self.mode = mode
    }
}
