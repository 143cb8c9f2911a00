internal import HeadgateDialects

extension RelayOperation {
    /// What a request of the operation is at an upstream: the same, or what it is translated to.
    package func outgoing(to upstream: Upstream) -> RelayOperation {
        guard let format else { return embeddingForm == nil ? self : .createEmbedding }
        guard let wire = format.wire else { return .of(upstream.speaks.forTranslation) }
        guard !upstream.speaks.contains(SpokenFormats(wire)) else { return self }
        return .of(upstream.speaks.forTranslation)
    }
}
