package import HeadgateEventLoop
package import HeadgateNetwork

/// A scripted upstream on real sockets. It ends with ``stop()``, or when it is released.
package final class ScriptedUpstream: Sendable {
    package enum Address: Sendable {
        /// A literal IP address; with port 0, the system chooses the port.
        case tcp(ip: String, port: UInt16)
        /// The path of a Unix socket, which must not exist yet and is removed at the end.
        case unix(path: String)
    }

    package static let anyPort = Address.tcp(ip: "127.0.0.1", port: 0)

    /// The bound port; 0 for a Unix socket.
    package let port: UInt16
    package let observations: UpstreamObservations
    private let listener: LoopBound<ScriptedListener>
    private let connections: ScriptedConnectionTable

    /// Starts to listen. It can be called from any thread.
    ///
    /// - Parameters:
    ///   - tls: The TLS context; nil for an upstream without TLS.
    ///   - isRecording: Whether to store requests and events; false is for an upstream that runs for a long time.
    ///   - log: Called for each request, on its loop.
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

    /// The number of connections accepted so far.
    package var acceptedConnections: Int { connections.accepted.value }
    package var openConnections: Int { connections.open.value }
    /// The number of TLS handshakes so far that resumed an earlier session.
    package var resumedHandshakes: Int { connections.resumed.value }

    /// Closes the listener and all connections, each in the next turn of its loop. It can be called from any thread,
    /// any number of times.
    package func stop() {
        let listener = listener
        listener.loop.execute { listener.value.close() }
        connections.closeAll()
        observations.close()
    }
}
