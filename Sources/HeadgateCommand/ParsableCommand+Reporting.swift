import ArgumentParser
import HeadgateEventLoop
import HeadgateService

extension ParsableCommand {
    /// Runs the body. Reports a complaint by its message and exit code.
    func reporting(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let complaint as Complaint {
            complain(complaint.message.contains(": error: ") ? complaint.message : "headgate: \(complaint.message)")
            throw ExitCode(complaint.exitCode.rawValue)
        } catch let shortage as ThreadShortage {
            complain("headgate: \(shortage)")
            throw ExitCode(Complaint.Code.system.rawValue)
        }
    }
}
