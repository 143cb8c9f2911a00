/// Knows of a request what grows while it is answered.
package protocol RequestCounts: AnyObject {
    /// Puts it in.
    func note(in facts: inout Outcome)
}
