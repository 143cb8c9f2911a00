package import HeadgateEventLoop
package import HeadgateHTTP
internal import HeadgateLibC
internal import HeadgatePrimitives

/// Model on this device: llama.cpp's own HTTP server as a supervised child, reached over a private Unix socket.
///
/// The child is installed on first use, started, watched, restarted with backoff if it ends, and ended with this
/// process.
package final class OnDeviceModel: AwaitedServer {
    private let loop: EventLoop
    private let folders: OnDeviceFolders
    private let supervisor: LoopBound<OnDeviceSupervisor>
    private let gate: Locked<OnDeviceGate>

    /// - Parameters:
    ///   - file: a GGUF file to run instead of the built-in model.
    ///   - name: public name of the model.
    ///   - loop: a loop whose thread lives as long as the process, since the kernel kills the child when the thread
    ///     ends.
    ///   - environment: this process's environment, of which the child inherits a few allow-listed variables.
    ///   - key: the key that the child requires of its callers. It is passed through a pipe.
    ///   - observer: called for every change of state, on the loop.
    package init(
        file: String?, name: String, loop: EventLoop, environment: [String: String], key: String,
        observer: @escaping @Sendable (OnDeviceState) -> Void
    ) throws {
        self.loop = loop
        folders = try OnDeviceFolders(environment: environment)
        let gate = Locked(OnDeviceGate())
        self.gate = gate
        let supervisor = OnDeviceSupervisor(
            file: file, name: name, loop: loop, folders: folders, environment: environment, key: key
        ) { state in
            OnDeviceModel.tell(gate.withLock { $0.set(state) })
            observer(state)
        }
        self.supervisor = LoopBound(supervisor, on: loop)
    }

    package var baseURL: BaseURL { BaseURL(endpoint: .unix(path: folders.socket), pathPrefix: "/v1") }

    /// Removes the folders that were prepared for a start that does not happen.
    package func release() { folders.removeRuntime() }

    /// Installs and starts the child. Can be called from any thread.
    package func start() {
        let supervisor = supervisor
        loop.execute { supervisor.value.start() }
    }

    /// Ends the child. Can be called from any thread; `done` is called on the loop once the child has ended.
    package func stop(_ done: @escaping @Sendable () -> Void) {
        let (supervisor, folders) = (supervisor, folders)
        OnDeviceModel.tell(gate.withLock { $0.stop() })
        loop.execute {
            supervisor.value.stop {
                folders.removeRuntime()
                done()
            }
        }
    }

    // MARK: Requests

    private static func tell(_ told: (waiters: [LocalServerWaiter], Result<Void, TransportError>)?) {
        guard let (waiters, answer) = told else { return }
        for waiter in waiters { waiter.tell(answer) }
    }

    package func enterAtOnce() -> Bool { takesTools != nil }

    /// Whether the model can call tools; nil while it is not ready.
    package var takesTools: Bool? {
        if case .ready(let takesTools) = gate.withLock({ $0.state }) { takesTools } else { nil }
    }

    package func enter() async throws {
        let (waiter, gate) = (LocalServerWaiter(), gate)
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                waiter.wait(continuation)
                if let answer = gate.withLock({ $0.ask(for: waiter) }) { waiter.tell(answer) }
            }
        } onCancel: {
            guard waiter.tell(.failure(TransportError(.cancelled))) else { return }
            gate.withLock { $0.forget(waiter) }
        }
    }

    /// Does nothing, since requests are not counted.
    package func leave() {}

    package var notReady: TransportError { gate.withLock { $0.notReady } }
}

/// Progress of the on-device model toward serving.
package enum OnDeviceState: Sendable, Equatable {
    /// The model is being prepared. The text describes the current step to people.
    case starting(String)
    /// - Parameter takesTools: whether the model's chat template has a place for tools.
    case ready(takesTools: Bool)
    /// The child ended and will be restarted.
    case restarting
    /// The model cannot work here. The text says why and what to do.
    case failed(String)
}
