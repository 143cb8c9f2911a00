/// What people are told of a question that nobody waits for any longer: nothing is broken.
enum SlowQuestion {
    static func text(_ name: String, _ limit: Duration) -> String {
        "\(name): a question of usage was given up after \(limit.components.seconds) s, as there is much to add up; "
            + "requests are noted all the while. Ask for a shorter time"
    }
}
