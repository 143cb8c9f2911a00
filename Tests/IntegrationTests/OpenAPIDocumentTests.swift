import Foundation
import HeadgateGateway
import HeadgateRelay
import HeadgateTesting
import Testing

/// `openapi.yaml` describes exactly the routes that are served.
@Suite struct OpenAPIDocumentTests {
    @Test func documentAndRouteTableAreTheSame() throws {
        let running = try RunningGateway(UpstreamScript(always: .chatCompletion("ok")))
        #expect(try documented() == Set(running.gateway.routes))
    }

    /// Returns the operations of the document, read by its layout: paths at two spaces, methods at four, operation ids
    /// at six. Paths without their own servers are served below `/v1`.
    private func documented() throws -> Set<RouteListing> {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "openapi.yaml"), encoding: .utf8)
        let section = try #require(
            text.components(separatedBy: "\npaths:\n").last?.components(separatedBy: "\ncomponents:").first)
        var routes: Set<RouteListing> = []
        var path = ""
        var prefix = ""
        var method = ""
        for line in section.split(separator: "\n") {
            let word = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("  /") {
                path = String(word.dropLast())
                prefix = "/v1"
            } else if line.prefix(while: { $0 == " " }).count == 4, word.hasPrefix("servers:") {
                prefix = ""
            } else if line.prefix(while: { $0 == " " }).count == 4, word.hasSuffix(":") {
                method = word.dropLast().uppercased()
            } else if word.hasPrefix("operationId: ") {
                routes.insert(
                    RouteListing(method: method, path: prefix + path, operationID: String(word.dropFirst(13))))
            }
        }
        return routes
    }
}
