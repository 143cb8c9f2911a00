import HeadgateHTTP
final class UpstreamQueue: Sendable {
    enum Refusal: Error { case full, cancelled }
    final class Slot { func leave() {} }
    func enter(caller: String, _ metadata: ServerRequestMetadata, completion: @escaping (Result<Slot, Refusal>) -> Void) -> (any Cancellable)? { completion(.success(Slot())); return nil }
}
