"""200 streams a second over three upstreams, one of which is killed while one refuses for 5 s; twice, with and without
Retry-After. Exits with 1 if a client saw a failure before content, or an incomplete response without an error.
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "SDK"))

from failover import fail_over

failures = []
for retry_after in None, 2:
    # The path of a socket has at most 107 bytes.
    with tempfile.TemporaryDirectory(prefix="headgate-soak-", dir="/tmp") as folder:
        result = fail_over(Path(folder), rate=200, warm=8, away=5, after=7, retry_after=retry_after)
    print(f"Retry-After {retry_after}: {result}")
    failures += result.failures
for failure in failures[:20]:
    print(f"  {failure}")
sys.exit(1 if failures else 0)
