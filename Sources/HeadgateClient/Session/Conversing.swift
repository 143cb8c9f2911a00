#if canImport(FoundationModels) && (os(iOS) || os(macOS) || os(visionOS))
    public import FoundationModels

    /// Common interface of a session with a gateway and a session with Apple's on-device model, so that an app can use
    /// either.
    ///
    /// Untested: this is compiled only if the module FoundationModels exists, and the project's tests run on Linux.
    @available(iOS 26, macOS 26, visionOS 26, *)
    public protocol Conversing: Sendable {
        /// Returns the response as it grows. Each element is the whole response so far.
        func snapshots(of prompt: String) -> AsyncThrowingStream<String, any Error>
    }

    @available(iOS 26, macOS 26, visionOS 26, *)
    extension ChatSession: Conversing {
        /// Returns the response as it grows. Ending the loop cancels the response.
        public func snapshots(of prompt: String) -> AsyncThrowingStream<String, any Error> {
            let responses = streamResponse(to: prompt)
            return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
                let task = Task {
                    do {
                        for try await response in responses { continuation.yield(response.content) }
                        continuation.finish()
                    } catch {
                        continuation.finish(throwing: error)
                    }
                }
                continuation.onTermination = { _ in task.cancel() }
            }
        }
    }

    @available(iOS 26, macOS 26, visionOS 26, *)
    extension LanguageModelSession: Conversing {
        /// Returns the response as it grows. Ending the loop cancels the response.
        public func snapshots(of prompt: String) -> AsyncThrowingStream<String, any Error> {
            AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
                let task = Task {
                    do {
                        for try await snapshot in streamResponse(to: prompt) { continuation.yield(snapshot.content) }
                        continuation.finish()
                    } catch {
                        continuation.finish(throwing: error)
                    }
                }
                continuation.onTermination = { _ in task.cancel() }
            }
        }
    }
#endif
