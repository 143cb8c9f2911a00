/// Which of a model's targets is tried first.
package enum TargetChoice: String, Sendable, CaseIterable {
    /// In the order of the file: the others are for when the first ones fail.
    case first
    /// At random, in proportion to the weights.
    case weighted
    /// The one with the fewest requests in flight.
    case leastBusy = "least_busy"
    /// The one whose content has lately come soonest.
    case fastest
}
