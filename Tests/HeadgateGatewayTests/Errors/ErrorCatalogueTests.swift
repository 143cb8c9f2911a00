import Foundation
import HTTPTypes
import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct ErrorCatalogueTests {
    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static let entries = ErrorCatalogue.all.flatMap(\.entries)

    /// `make errors` writes docs/errors.md again.
    @Test func documentIsUpToDate() throws {
        let file = Self.repository.appendingPathComponent("docs/errors.md")
        if ProcessInfo.processInfo.environment["HEADGATE_WRITE_DOCUMENTS"] == "1" {
            try ErrorCatalogue.document.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == ErrorCatalogue.document, "run make errors")
    }

    @Test func everyCodeOfTheSourcesIsInTheCatalogueOnceAndTheReverse() throws {
        let folder = Self.repository.appendingPathComponent("Sources")
        var found: Set<String> = []
        // A code is a labeled argument, the argument after a status, or a constant.
        let patterns = [
            #/code: "([a-z_]+)"/#, #/\(\s*[45]\d\d, "([a-z]+(?:_[a-z]+)+)"/#, #/let code = "([a-z_]+)"/#,
        ]
        for case let path as String in FileManager.default.enumerator(atPath: folder.path) ?? .init()
        where path.hasSuffix(".swift") && ["HeadgateRelay/", "HeadgateGateway/"].contains(where: path.hasPrefix) {
            let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
            for pattern in patterns { found.formUnion(text.matches(of: pattern).map { String($0.output.1) }) }
        }
        #expect(found.count > 60)
        let catalogued = Self.entries.map(\.code)
        #expect(found.symmetricDifference(catalogued).sorted() == [])
        #expect(Set(catalogued).count == catalogued.count)
    }

    @Test(
        arguments: [
            .bodyMemory, .shuttingDown, .unansweredAtShutdown, .invalidKey, .missingKey, .notForThisKey, .unknownRoute,
            .webSocketNotSupported, .unknownModel("m"), .modelNotAllowed("m"), .methodNotAllowed(allowed: "GET"),
            .tooManyWrongKeys(1), .oversizeEvent, .noContent, .noFirstContent("u"), .totalTimeout,
            .noTarget("m", retryAfter: 1), .targetsRest("m", retryAfter: 1), .oversizeResponse, .notStreaming,
            .eventsInPlaceOfDocument, .wrongContentType, .upstreamRefusedKey("u"), .invalidEvent, .incompleteStream(),
            .unknownStream, .eventsDropped(first: 1), .unknownEvent(last: 1), .streamBufferFull, .streamStopped,
            .streamLost, .streamOutOfReach, .streamStoreAway, .readerFellBehind, .keysNotForThisKey,
            .keysOfKeylessGateway, .keysOff, .keysUnavailable, .keysAppear, .keysUnknown, .unknownKey("k"),
            .takenKeyName("k"), .configuredKey("k"), .responsesUnavailable, .unknownPreviousResponse,
            .longConversation, .conversationsUnavailable, .keepsNoConversations, .unknownConversation("c"),
            .unknownItem, .unknownProgram("u"), .busyConversation("c"), .longConversationItems,
            .conversationAndPrevious,
            .transport(TransportError(.connect), upstream: "u"), .transport(TransportError(.tls), upstream: "u"),
            .transport(TransportError(.notReady), upstream: "u"), .transport(TransportError(.noKey), upstream: "u"),
            .transport(TransportError(.busy), upstream: "u"), .stream(TransportError(.notReady)),
            .transport(TransportError(.unavailable), upstream: "u"),
            .transport(TransportError(.responseTimeout), upstream: "u"),
            .transport(TransportError(.closedBeforeResponse), upstream: "u"),
            .transport(TransportError(.truncatedBody), upstream: "u"),
            .transport(TransportError(.encoding), upstream: "u"),
            .transport(TransportError(.protocolViolation), upstream: "u"),
            .transport(TransportError(.middleware), upstream: "u"),
            .transport(TransportError(.notRecorded), upstream: "u"),
        ] as [GatewayError])
    func errorMatchesTheCatalogue(_ error: GatewayError) throws {
        let entry = try #require(Self.entries.first { $0.code == error.code })
        #expect(entry.status == error.status && entry.cause.retry == error.retry, "\(entry.code)")
        #expect(entry.cause.origin == error.origin, "\(entry.code)")
    }
}
