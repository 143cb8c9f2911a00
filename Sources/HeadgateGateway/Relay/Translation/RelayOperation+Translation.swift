extension RelayOperation {
    /// What a request of the operation is at an upstream: the same, or what it is translated to.
    func outgoing(to upstream: Upstream) -> RelayOperation {
        guard let format, !upstream.speaks.contains(SpokenFormats(format)) else { return self }
        return .of(upstream.speaks.forTranslation)
    }
}
