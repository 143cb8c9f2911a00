internal import ArgumentParser
internal import HeadgateLibC
internal import OpenAPIGenerator

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// An error with a message for the user.
struct Complaint: Error {
    let text: String

    /// Runs some work. Prints its errors line by line, as compilers do, and ends with a failure.
    static func explaining(_ work: () throws -> Void) throws {
        do {
            try work()
        } catch let failure as GenerationFailure {
            throw tell(failure.description)
        } catch let complaint as Complaint {
            throw tell(complaint.text)
        }
    }

    static func text(of path: String) throws -> String {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw Complaint(text: "\(path): cannot be read as text")
        }
        return text
    }

    private static func tell(_ text: String) -> ExitCode {
        say(text)
        return .failure
    }

    /// Writes a line for the user.
    static func say(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
