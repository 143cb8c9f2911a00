// HeadgateService is the process: reading and checking its configuration, composing the gateway, signals, reloads,
// keys, logs. Options and output of single commands are in HeadgateCommand.

/// Error that ends a command: a message for people on standard error, and an exit code.
package struct Complaint: Error, Equatable {
    package enum Code: Int32, Sendable {
        case failure = 1
        /// EX_OSERR of sysexits.
        case system = 71
        /// EX_CONFIG of sysexits.
        case configuration = 78
    }

    package let message: String
    package let exitCode: Code

    package init(_ message: String, exitCode: Code = .failure) {
        self.message = message
        self.exitCode = exitCode
    }
}
