import ArgumentParser
import HeadgateLibC
import HeadgateService
import HeadgateTerminal

struct ReloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Reload the configuration of a running gateway.",
        discussion: """
            The command waits for the result, and prints the gateway's process, addresses and file. It exits with 0 if \
            the new configuration is in force. It exits with 78 and the reasons if the gateway keeps the old one.

            --config or --pid chooses the gateway; HEADGATE_CONFIG names a file, too. Without any of them, the gateway \
            with the file that other commands find is reloaded. If that is not clear, the command lists the gateways.
            """)

    @OptionGroup var choice: GatewayChoice

    func run() throws {
        try reporting {
            let after = try GatewayChoice.signal(SIGHUP, to: choice.find(), for: "reloaded", within: 10)
            print("reloaded \(Neutralised.line(after.summary))")
        }
    }
}
