"""A short run of the failover load; Tests/Soak/failover.py is the long one."""

from pathlib import Path

import pytest

from failover import BUDGET, LEAST_RETRIES, fail_over
from gateways import short_folder

# The rate of streams is fixed, so a busy machine can fall behind.
pytestmark = pytest.mark.serial


@pytest.mark.parametrize("retry_after", [None, 2])
def test_failing_upstreams_go_unnoticed_before_content(retry_after):
    with short_folder() as folder:
        result = fail_over(Path(folder), rate=60, warm=2, away=2, after=3, retry_after=retry_after)
    print(result)
    assert not result.failures, result.failures[:3]
    assert result.repeated <= max(LEAST_RETRIES, BUDGET * result.requests)
    assert result.sent_after_return > 0
