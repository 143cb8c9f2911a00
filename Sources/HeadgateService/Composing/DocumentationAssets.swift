import HeadgateEventLoop
import HeadgateLibC
import HeadgatePages
import HeadgatePrimitives
import HeadgateRelay

/// Installed files of the pages (Swagger UI and the chat's libraries), read on first request.
final class DocumentationAssets: Sendable {
    private static let types = [
        "swagger-ui-bundle.js": "text/javascript; charset=utf-8", "swagger-ui.css": "text/css; charset=utf-8",
        "favicon-32x32.png": "image/png", "marked.umd.min.js": "text/javascript; charset=utf-8",
        "highlight.min.js": "text/javascript; charset=utf-8", "katex.min.js": "text/javascript; charset=utf-8",
    ]
    private static let maximumBytes = 16 << 20

    /// Folder of the files; nil if they are not installed.
    private let folder: String?
    private let read = Locked<[String: Documentation.Asset]>([:])

    /// Searches the folder that `HEADGATE_ASSETS` names, or else the places beside the program where an installation or
    /// a build puts the files.
    init(environment: [String: String]) {
        var candidates: [String] = []
        if let folder = environment["HEADGATE_ASSETS"], !folder.isEmpty {
            candidates = [folder]
        } else if let program = ProgramFile.path, let slash = program.lastIndex(of: "/") {
            candidates = ["/../share/headgate/swagger-ui", "/../../assets/swagger-ui"].map { program[..<slash] + $0 }
        }
        // A folder that has only the chat's libraries serves those.
        folder = candidates.first { folder in
            DocumentationAssets.types.keys.contains { access("\(folder)/\($0)", R_OK) == 0 }
        }
    }

    func asset(_ name: String) -> Documentation.Asset? {
        guard let folder, let type = DocumentationAssets.types[name] else { return nil }
        if let known = read.withLock({ $0[name] }) { return known }
        guard let bytes = DocumentationAssets.contents("\(folder)/\(name)") else { return nil }
        let asset = Documentation.Asset(type: type, bytes: bytes, digest: KeyDigest(of: bytes).hexadecimal)
        read.withLock { $0[name] = asset }
        return asset
    }

    private static func contents(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, (1...maximumBytes).contains(Int(status.st_size)) else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        return HeadgateLibC.read(descriptor, &bytes, bytes.count) == bytes.count ? bytes : nil
    }
}
