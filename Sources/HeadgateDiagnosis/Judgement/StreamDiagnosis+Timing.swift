extension StreamDiagnosis {
    /// The time above which people wonder whether the model is still working.
    private static let slow = Clock.milliseconds(10_000)
    /// The shortest time after which common proxies time out (60 s for nginx and AWS's load balancers), less a margin.
    private static let silent = Clock.milliseconds(45_000)

    var firstEvent: Finding {
        guard let firstEvent = timing.firstEvent else { return .skipped(.firstEvent, "no event came") }
        var figures = [
            Finding.Figure("head_ms", nanoseconds: stream.headAt),
            Finding.Figure("first_event_ms", nanoseconds: firstEvent),
        ]
        var measured = "\(Clock.text(firstEvent))"
        if let firstByte = timing.firstByte { figures.append(.init("first_byte_ms", nanoseconds: firstByte)) }
        if let firstText = timing.firstText {
            figures.append(.init("first_text_ms", nanoseconds: firstText))
            measured += ", text after \(Clock.text(firstText))"
        }
        if let direct = direct?.firstEvent { measured += " (directly: \(Clock.text(direct)))" }
        guard max(firstEvent, timing.firstText ?? 0) < StreamDiagnosis.slow else {
            return Finding(
                .firstEvent, .warning, measured,
                advice: "Usually the model takes its time: try a smaller one, a shorter prompt or less reasoning.",
                figures: figures)
        }
        return Finding(.firstEvent, .ok, measured, figures: figures)
    }

    var gaps: Finding {
        guard let median = timing.medianGap, let longest = timing.longestGap else {
            return .skipped(.gaps, "\(counted(timing.events, "event")): too few")
        }
        let figures = [
            Finding.Figure("events", Double(timing.events)), Finding.Figure("reads", Double(stream.pieces.count)),
            Finding.Figure("gap_p50_ms", nanoseconds: median), Finding.Figure("gap_max_ms", nanoseconds: longest),
            Finding.Figure("silence_max_ms", nanoseconds: timing.longestSilence),
            Finding.Figure("total_ms", nanoseconds: stream.endAt),
        ]
        let measured =
            "\(timing.events) events in \(Clock.text(stream.endAt)), p50 \(Clock.text(median)), longest "
            + "\(Clock.text(longest))"
        guard timing.longestSilence < StreamDiagnosis.silent else {
            return Finding(
                .gaps, .warning, measured + ", without any byte for \(Clock.text(timing.longestSilence))",
                advice:
                    "Something drops the comments that the gateway sends while the upstream is silent; raise the "
                    + "proxy's read timeout above the longest pause (nginx: proxy_read_timeout 10m).",
                figures: figures)
        }
        return Finding(.gaps, .ok, measured, figures: figures)
    }

    var buffering: Finding {
        let proxyAdvice =
            "Turn buffering off in what stands in front of the gateway (nginx: proxy_buffering off, and no "
            + "proxy_ignore_headers X-Accel-Buffering; Apache: flushpackets=on)."
        let upstreamAdvice =
            direct == nil
            ? " If nothing stands in front of it, the upstream itself sends its answer this way."
            : ""
        switch timing.pacing {
        case .tooFew(let events): return .skipped(.buffering, "\(counted(events, "event")): too few to tell")
        case .instant(let events):
            return .skipped(.buffering, "all \(events) events came at once and soon: too fast to tell")
        case .steady: return Finding(.buffering, .ok, "events arrive one by one")
        case .atOnce(let events, let count, let silence, let spread):
            let together = spread < Clock.milliseconds(1) ? "at once" : "within \(Clock.text(spread))"
            let measured = "\(events) of \(count) events \(together), after \(Clock.text(silence)) of silence"
            if let direct, direct.pacing.isLumpy {
                return Finding(
                    .buffering, .failed, measured + "; directly too", advice: StreamDiagnosis.upstreamBatches)
            }
            return Finding(
                .buffering, .failed, measured + (direct == nil ? "" : "; directly they come one by one"),
                advice: proxyAdvice + upstreamAdvice)
        case .bursts(let count, let events, let silence):
            let measured =
                "\(events) events in \(count) bursts, typically \(Clock.text(silence)) of silence between them"
            guard let direct else {
                return Finding(.buffering, .warning, measured, advice: proxyAdvice + upstreamAdvice)
            }
            if direct.pacing.isLumpy {
                return Finding(
                    .buffering, .warning, measured + "; directly too", advice: StreamDiagnosis.upstreamBatches)
            }
            return Finding(.buffering, .failed, measured + "; directly they come one by one", advice: proxyAdvice)
        }
    }

    private static let upstreamBatches =
        "The upstream sends its answer this way: it may filter content in batches, or something between it and the "
        + "gateway buffers."

    /// The findings about the delay that a proxy adds; none without a comparison.
    var addedDelay: [Finding] {
        if case .impossible(let reason) = comparison {
            return [
                Finding(
                    .addedDelay, .warning, "not compared, the gateway itself: \(reason)",
                    advice: "Does --direct name the gateway's own address, and is the key one of that gateway's?")
            ]
        }
        return direct.map { [addedDelay($0)] } ?? []
    }

    private func addedDelay(_ direct: StreamTiming) -> Finding {
        guard let through = timing.firstEvent, let straight = direct.firstEvent else {
            return .skipped(.addedDelay, "no event came on one of the two ways")
        }
        let figures = [
            Finding.Figure("first_event_ms", nanoseconds: through),
            Finding.Figure("direct_first_event_ms", nanoseconds: straight),
        ]
        let measured = "first event after \(Clock.text(through)), directly after \(Clock.text(straight))"
        // A model's own times differ between responses.
        guard through > 2 * straight, through - straight > Clock.milliseconds(500) else {
            return Finding(.addedDelay, .ok, measured, figures: figures)
        }
        return Finding(
            .addedDelay, .warning, measured,
            advice:
                "The way through the proxy takes long: look for buffering, a slow name server, or a distant region.",
            figures: figures)
    }
}
