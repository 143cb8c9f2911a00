/// Whether exchanges with upstreams are recorded, and replayed.
package struct RecordConfiguration: Sendable, Equatable {
    package enum Mode: String, Sendable, CaseIterable {
        case record
        /// Nothing is sent.
        case replay
        /// Requests without a recording are sent, and recorded.
        case recordOnMiss = "record_on_miss"
    }

    /// When the parts of a recording are sent.
    package enum Pace: String, Sendable, CaseIterable {
        case atOnce = "at_once"
        case recorded
    }

    /// From the root.
    package var folder: String
    package var mode: Mode
    /// Whether what was asked and answered is written.
    package var bodies = true
    /// Members of requests that make no difference.
    package var ignored: [String] = []
    package var pace = Pace.atOnce

    package init(folder: String, mode: Mode = .record) {
        self.folder = folder
        self.mode = mode
    }
}
