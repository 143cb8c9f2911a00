"""How long tests wait for what is sure to come: so long that only a hang takes longer."""

import os

# Under a sanitizer (Tests/Sanitizers/run) a program takes several times as long.
SLOWDOWN = int(os.environ.get("HEADGATE_TEST_SLOWDOWN", "1"))

READY_SECONDS = 20 * SLOWDOWN
EXIT_SECONDS = 20 * SLOWDOWN
# What a running program does or says.
PATIENCE_SECONDS = 15 * SLOWDOWN
# A command, from its start to its end.
RUN_SECONDS = 20 * SLOWDOWN
