import ArgumentParser
import HeadgateLibC
import HeadgateService
import HeadgateTerminal

struct UpgradeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade",
        abstract: "Let the installed version take over from a running gateway, without a refused connection.",
        discussion: """
            Install the new version over the old one first. The running gateway starts its own program again, with \
            the same arguments and variables. The new process checks its configuration; then the old one closes its \
            stores and stops accepting, and the new one opens the stores and serves on the same sockets. Connections \
            wait meanwhile. The old process finishes requests in flight ('limits: {drain}') and exits.

            The command waits for the result for at most a minute and prints the new process. If the new process \
            cannot serve, the command prints the reason and exits with 78, and the old process continues. Restart a \
            gateway instead if it runs programs for its upstreams or the model on this device, or if the new version \
            changes the tables of a store.

            --config or --pid chooses the gateway, as for 'headgate reload'. SIGUSR2 starts an upgrade without the \
            command; the gateway logs the result.
            """)

    @OptionGroup var choice: GatewayChoice

    func run() throws {
        try reporting {
            let gateway = try choice.find()
            guard gateway.isReplaceable else {
                throw Complaint(
                    "\(Neutralised.line(gateway.summary)): its version cannot be upgraded while it runs, or it is part "
                        + "of another program: restart it")
            }
            guard gateway.begun == gateway.ended else {
                throw Complaint(
                    "\(Neutralised.line(gateway.summary)): an upgrade or a reload is in progress: wait for its end")
            }
            let began = ContinuousClock.now
            let after = try GatewayChoice.signal(SIGUSR2, to: gateway, for: "upgraded", within: 60)
            let milliseconds = (ContinuousClock.now - began) / .milliseconds(1)
            print(
                "upgraded process \(gateway.pid), which finishes what is in flight, to "
                    + "\(Neutralised.line(after.summary)) (\(Int(milliseconds)) ms)")
        }
    }
}
