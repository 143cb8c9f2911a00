import Foundation
import HeadgatePrimitives
import HeadgateTesting

/// A PostgreSQL server for tests, on a Unix socket in its own folder. It ends with this process in every case, because
/// a shell waits for its standard input to close.
final class TestServer: @unchecked Sendable {
    /// Server of all tests that do not disturb it.
    static let shared = Result { try TestServer() }

    static let password = "s3cret:@ word"
    static let writtenPassword = "s3cret%3A%40%20word"

    let folder: String
    private let shell: ScriptShell
    private let lock = NSLock()

    struct Failure: Error, CustomStringConvertible { let description: String }

    /// - Parameter tls: certificate and port for TLS connections on this machine; nil for the Unix socket alone.
    init(tls: (certificate: TestCertificates.Files, port: UInt16)? = nil) throws {
        // The name is short, because the path of a socket has at most 107 bytes.
        var template = Array("/tmp/hgpg-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(description: "no folder") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try Data(TestServer.password.utf8).write(to: URL(fileURLWithPath: folder + "/password"))
        if let tls {
            for (source, name) in [(tls.certificate.certificate, "server.crt"), (tls.certificate.key, "server.key")] {
                try FileManager.default.copyItem(atPath: source, toPath: "\(folder)/\(name)")
                chmod("\(folder)/\(name)", 0o600)
            }
        }
        shell = try ScriptShell(TestServer.script, [folder] + (tls.map { ["\($0.port)"] } ?? []))
        guard answer() else {
            let log = (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? ""
            throw Failure(
                description: "PostgreSQL does not start; is Debian's postgresql installed? \(log.suffix(2000))")
        }
    }

    deinit { end() }

    func end() { shell.end() }

    /// Kills all processes of the server at once.
    func kill() { tell("kill") }
    func start() { tell("start") }
    /// Suspends the server in the middle of its work.
    func pause() { tell("pause") }
    func resume() { tell("resume") }

    private func tell(_ command: String) {
        lock.withLock {
            shell.write(command)
            precondition(answer(), "the server's shell has ended")
        }
    }

    private func answer() -> Bool { shell.readLine() == "done" }

    private static let script = #"""
        folder=$1
        listening=-clisten_addresses=
        if [ -n "$2" ]; then
            export PGPORT=$2
            listening="-clisten_addresses=127.0.0.1 -cssl=on -cssl_cert_file=$folder/server.crt
                -cssl_key_file=$folder/server.key"
        fi
        bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
        PATH=${bin:+$bin:}$PATH
        as=
        if [ "$(id -u)" = 0 ]; then
            chown -R postgres "$folder"
            as="setpriv --reuid=postgres --regid=postgres --clear-groups"
        fi
        all() { echo "$pid" $(cat "/proc/$pid/task/$pid/children"); }
        alive() { [ -e "/proc/$1/stat" ] && ! grep -q ') Z' "/proc/$1/stat" 2>/dev/null; }
        start() {
            $as postgres -D "$folder/data" -k "$folder" $listening -c fsync=off -c max_connections=300 \
                >>"$folder/log" 2>&1 &
            pid=$!
            for _ in $(seq 600); do
                pg_isready -q -h "$folder" && return 0
                alive "$pid" || return 1
                sleep 0.05
            done
            return 1
        }
        finish() { kill -CONT $(all) 2>/dev/null; kill -QUIT "$pid" 2>/dev/null; wait "$pid"; rm -rf "$folder"; }
        trap '' INT HUP PIPE
        cd "$folder"
        $as initdb -D "$folder/data" -U owner -A scram-sha-256 --pwfile="$folder/password" --no-sync --locale=C \
            -E UTF8 >"$folder/log" 2>&1 && start ||
            { echo failed; read -r _; finish; exit 1; }
        echo done
        while read -r command; do
            case $command in
                kill) processes=$(all); kill -KILL $processes; wait "$pid"
                    # Nobody may wait for them any more.
                    for one in $processes; do while alive "$one"; do sleep 0.01; done; done ;;
                start) start ;;
                pause) kill -STOP $(all) ;;
                resume) kill -CONT $(all) ;;
            esac
            echo done
        done
        finish
        """#
}
