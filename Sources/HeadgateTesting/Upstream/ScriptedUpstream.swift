package import HeadgateEventLoop
package import HeadgateNetwork

/// A scripted upstream on real sockets. Ends with ``stop()``, or when it is released.
package final class ScriptedUpstream: Sendable {
    package enum Address: Sendable {
        /// A literal IP address; port 0 lets the system choose.
        case tcp(ip: String, port: UInt16)
        /// A path at which nothing exists yet; removed at the end.
        case unix(path: String)
    }

    package static let anyPort = Address.tcp(ip: "127.0.0.1", port: 0)

    /// The bound port; 0 for a Unix socket.
    package let port: UInt16
    package let observations: UpstreamObservations
    private let listener: LoopBound<ScriptedListener>
    private let connections: ScriptedConnectionTable

    /// Starts to listen. Can be called from any thread.
    ///
    /// - Parameters:
    ///   - tls: serves TLS.
    ///   - isRecording: false stores no requests and events, for an upstream that runs for long.
    ///   - log: called for each request, on its loop.
    /// - Throws: ``TestFailure/listen(_:)``.
    package init(
        group: EventLoopGroup, script: UpstreamScript, at address: Address = anyPort, tls: TLSContext? = nil,
        isRecording: Bool = true,
        log: (@Sendable (ReceivedRequest) -> Void)? = nil
    ) throws {
        let socket = try ListeningSocket(address)
        port = socket.port
        observations = UpstreamObservations(isRecording: isRecording)
        let player = ScriptPlayer(script, observations: observations, log: log)
        connections = ScriptedConnectionTable(group: group, player: player, tls: tls)
        let listener = LoopBound(ScriptedListener(socket: socket, connections: connections), on: group.loops[0])
        self.listener = listener
        group.loops[0].execute { listener.value.open(on: group) }
    }

    deinit { stop() }

    /// Connections that were accepted so far.
    package var acceptedConnections: Int { connections.accepted.value }
    package var openConnections: Int { connections.open.value }
    /// TLS handshakes so far that took up an earlier session.
    package var resumedHandshakes: Int { connections.resumed.value }

    /// Closes the listener and all connections as soon as their loops come to it. From any thread, any number of times.
    package func stop() {
        let listener = listener
        listener.loop.execute { listener.value.close() }
        connections.closeAll()
        observations.close()
    }
}
