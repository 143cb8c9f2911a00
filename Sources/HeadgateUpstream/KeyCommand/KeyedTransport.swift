package import HeadgateConfiguration
internal import HeadgateEventLoop
package import HeadgateHTTP

/// Transport that adds the key of a ``KeyCommand`` to each request. It sends a request again if the upstream refuses
/// the key and there is a newer one.
package struct KeyedTransport: RelayTransport {
    package typealias AddKey = @Sendable (_ key: Secret, _ request: inout UpstreamRequest) -> Void

    fileprivate let command: KeyCommand
    fileprivate let longestWait: Duration
    fileprivate let add: AddKey
    fileprivate let transport: any RelayTransport

    /// - Parameters:
    ///   - longestWait: maximum time for which a request waits for a key.
    ///   - add: adds the key to a request.
    package init(
        _ command: KeyCommand, longestWait: Duration, transport: any RelayTransport, add: @escaping AddKey
    ) {
        self.command = command
        self.longestWait = longestWait
        self.transport = transport
        self.add = add
    }

    package func send(
        _ request: UpstreamRequest, to baseURL: BaseURL, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        let call = KeyedCall(self, request, to: baseURL, completion)
        call.start()
        return call
    }
}

/// One request with a key, sent at most twice. Loop-confined.
private final class KeyedCall: PendingCall {
    private let keyed: KeyedTransport
    private let request: UpstreamRequest
    private let baseURL: BaseURL
    private var completion: UpstreamCompletion?
    private var deadline: LoopTimer?

    init(
        _ keyed: KeyedTransport, _ request: UpstreamRequest, to baseURL: BaseURL,
        _ completion: @escaping UpstreamCompletion
    ) {
        self.keyed = keyed
        self.request = request
        self.baseURL = baseURL
        self.completion = completion
    }

    func start() {
        if let key = keyed.command.current() { return send(with: key, isRepeated: false) }
        waitForKey { [self] result in
            switch result {
            case .success(let key): send(with: key, isRepeated: false)
            case .failure(let error): complete(.failure(error))
            }
        }
    }

    /// - Parameter body: called once; with ``KeyCommand/notFinished`` at the deadline.
    private func waitForKey(
        insteadOf refused: Int? = nil, then body: @escaping (Result<NumberedKey, TransportError>) -> Void
    ) {
        let timer = LoopTimer(loop: EventLoop.current) { [unowned self] in cancel() }
        timer.schedule(after: keyed.longestWait)
        deadline = timer
        wait {
            keyed.command.wait(insteadOf: refused) { [self] result in
                stepEnded()
                let isLate = deadline?.isScheduled == false
                deadline?.cancel()
                body(isLate ? .failure(keyed.command.notFinished) : result)
            }
        }
    }

    private func send(with key: NumberedKey, isRepeated: Bool) {
        var keyedRequest = request
        keyed.add(key.issued.value, &keyedRequest)
        wait {
            keyed.transport.send(keyedRequest, to: baseURL) { [self] result in
                stepEnded()
                guard !isRepeated, case .success(let response) = result, response.receivedStatus == 401 else {
                    return complete(result)
                }
                refused(response, key.number)
            }
        }
    }

    private func refused(_ response: UpstreamResponse, _ number: Int) {
        // A streamed body cannot be sent again.
        if case .stream? = request.body {
            keyed.command.refuse(number)
            return complete(.success(response))
        }
        waitForKey(insteadOf: number) { [self] result in
            switch result {
            case .failure(let error) where error.kind == .cancelled:
                response.body?.source.cancel()
                complete(.failure(error))
            case .success(let key) where key.number != number:
                response.body?.source.cancel()
                send(with: key, isRepeated: true)
            case .success, .failure: complete(.success(response))
            }
        }
    }

    private func complete(_ result: Result<UpstreamResponse, TransportError>) { completion.take()?(result) }
}
