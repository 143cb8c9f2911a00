/// The cache markers of a request. The format accepts only a few.
struct MessagesCacheMarkers {
    private static let most = 4

    /// Number of leading markers to leave out. Later markers cover more of the conversation.
    private(set) var excess: Int

    /// - Parameter count: Number of markers in the request.
    init(count: Int) { excess = max(0, count - MessagesCacheMarkers.most) }

    /// - Parameter request: A request; every marker that is written to a block counts.
    init(of request: ModelRequest) {
        var count = 0
        for case .function(let tool) in request.tools where tool.cacheMarker != nil { count += 1 }
        for message in request.messages { count += MessagesCacheMarkers.count(in: message.parts) }
        self.init(count: count)
    }

    private static func count(in parts: [Part]) -> Int {
        parts.reduce(0) { count, part in
            var inner = 0
            if case .toolResult(let result) = part.content { inner = MessagesCacheMarkers.count(in: result.parts) }
            return count + inner + (part.cacheMarker == nil ? 0 : 1)
        }
    }

    /// Puts the marker onto a block. Blocks are visited in the order of the prompt: tools, system, messages.
    mutating func put(_ marker: CacheMarker?, on block: inout JSONObject, _ losses: inout Losses) {
        guard let marker else { return }
        guard excess == 0 else {
            excess -= 1
            losses.drop(.cacheMarkers)
            return
        }
        var control: JSONObject = ["type": "ephemeral"]
        if let time = marker.timeToLive {
            if ["5m", "1h"].contains(time) { control["ttl"] = .string(time) } else { losses.drop(.cacheMarkers) }
        }
        block["cache_control"] = .object(control)
    }
}
