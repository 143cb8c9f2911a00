/// Counts that grow during a response, such as events and tokens.
package protocol RequestCounts: AnyObject {
    /// Writes the counts into the facts.
    func note(in facts: inout Outcome)
}
