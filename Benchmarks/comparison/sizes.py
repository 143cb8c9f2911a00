"""The load of one round."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Paced:
    """The number of concurrent streams, the content events of each, and the interval between events."""

    streams: int
    events: int
    interval_ms: int
    # Time in milliseconds over which the starts of the streams are evenly spread.
    ramp_ms: int


@dataclasses.dataclass(frozen=True)
class Sizes:
    """Numbers of requests by connections, paced streams, one burst, and held streams."""

    requests: dict
    first_events: int
    paced: tuple
    burst_streams: int
    burst_events: int
    burst: int
    held: Paced
    growth: tuple


def _growth(milliseconds):
    """Yields paced loads with 10,000 events per second in total and different numbers of streams."""
    for streams in (10, 100, 1000, 5000, 8000):
        interval = max(1, streams // 10)
        ramp = max(interval, streams // 4)
        # Enough events to cover the time from the last stream's first content to the first stream's end.
        yield Paced(streams, (ramp + milliseconds) // interval + 2, interval, ramp)


FULL = Sizes(
    requests={1: 6000, 16: 12000, 64: 12000}, first_events=300,
    paced=(Paced(100, 50, 20, 20), Paced(1000, 50, 20, 20), Paced(5000, 20, 100, 500)),
    burst_streams=64, burst_events=4096, burst=64, held=Paced(5000, 5, 1000, 2000), growth=tuple(_growth(1500)))
QUICK = Sizes(
    requests={1: 1500, 16: 4000, 64: 4000}, first_events=100,
    paced=(Paced(100, 25, 20, 20), Paced(1000, 25, 20, 20), Paced(5000, 10, 100, 500)),
    burst_streams=64, burst_events=1024, burst=64, held=Paced(5000, 5, 500, 1000), growth=tuple(_growth(500)))
