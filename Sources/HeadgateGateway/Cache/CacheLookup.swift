internal import HeadgateHTTP
internal import HeadgateRelay

/// Lookup of a response in the store that outlives the process. Loop-confined.
final class CacheLookup: Cancellable {
    private let metadata: ServerRequestMetadata
    private var completion: ((CachedResponse?) -> Void)?
    private var timer: (any Cancellable)?

    /// Longest wait for the store.
    private static let patience = Duration.seconds(1)

    /// - Parameter completion: called once, possibly before ``start(_:in:)`` returns, unless the lookup is canceled.
    init(_ metadata: ServerRequestMetadata, completion: @escaping (CachedResponse?) -> Void) {
        self.metadata = metadata
        self.completion = completion
    }

    func start(_ flight: CacheFlight, in store: any CachedResponseStore) {
        let receive = metadata.receiver { [self] (found: CachedResponse?) in complete(found) }
        let (key, form, operation) = (flight.key, flight.form, flight.next.operation)
        store.find([key] + (flight.other.map { [$0] } ?? []), at: flight.next.realtime, maximumAge: flight.maximumAge) {
            found in
            // Convert on the store's thread, because a conversion takes a while.
            receive(found.flatMap { $0.key == key ? $0.response : $0.response.converted(to: form, of: operation) })
        }
        guard completion != nil else { return }
        timer = metadata.after(CacheLookup.patience) { [self] in complete(nil) }
    }

    private func complete(_ found: CachedResponse?) {
        timer?.cancel()
        timer = nil
        completion.take()?(found)
    }

    func cancel() {
        timer?.cancel()
        timer = nil
        completion = nil
    }
}
