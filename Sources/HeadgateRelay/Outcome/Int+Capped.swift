extension Int {
    /// The sum, or the largest number; less than nothing counts as nothing.
    package func addingCapped(_ other: Int?) -> Int {
        let (sum, overflows) = addingReportingOverflow(Swift.max(0, other ?? 0))
        return overflows ? .max : sum
    }
}
