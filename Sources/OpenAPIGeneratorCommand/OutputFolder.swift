internal import OpenAPIGenerator

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A folder that files are written to.
struct OutputFolder {
    let path: String

    /// Returns the paths of files that are missing, different or superfluous.
    func differences(from files: [GeneratedFile]) throws -> [String] {
        let wanted = Set(files.map(\.path))
        let changed = files.filter { (try? String(contentsOfFile: full($0.path), encoding: .utf8)) != $0.text }
        return (changed.map(\.path) + present().filter { !wanted.contains($0) }).sorted()
    }

    /// Writes the files that differ. Other files are not touched, so that they are not compiled again.
    ///
    /// - Parameter removesOthers: Whether the folder belongs to the generator alone, so that other files are removed.
    func write(_ files: [GeneratedFile], removesOthers: Bool) throws {
        let differing = Set(try differences(from: files))
        for file in files where differing.contains(file.path) {
            let folder = full(file.path).split(separator: "/", omittingEmptySubsequences: false).dropLast()
            try FileManager.default.createDirectory(
                atPath: folder.joined(separator: "/"), withIntermediateDirectories: true)
            try Data(file.text.utf8).write(to: URL(filePath: full(file.path)))
        }
        guard removesOthers else { return }
        for superfluous in differing.subtracting(files.map(\.path)) {
            try FileManager.default.removeItem(atPath: full(superfluous))
        }
    }

    private func present() -> [String] {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
        return paths.filter { $0.hasSuffix(".swift") }
    }

    private func full(_ relative: String) -> String { path + "/" + relative }
}
