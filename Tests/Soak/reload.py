"""Reloads a gateway ten times a second under load. The argument is the duration in seconds; the default is 30.

Exits with 1 if a single request failed.
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "SDK"))

from load import reload_under_load

seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 30
# The path of a socket has at most 107 bytes.
with tempfile.TemporaryDirectory(prefix="headgate-soak-", dir="/tmp") as folder:
    result = reload_under_load(Path(folder), seconds)
print(result)
for failure in result.failures[:20]:
    print(f"  {failure}")
sys.exit(1 if result.failures else 0)
