"""Timeouts of tests for events that must happen: only a hang takes longer."""

import os

# Under a sanitizer (Tests/Sanitizers/run) a program takes several times as long.
SLOWDOWN = int(os.environ.get("HEADGATE_TEST_SLOWDOWN", "1"))

READY_SECONDS = 20 * SLOWDOWN
EXIT_SECONDS = 20 * SLOWDOWN
# For an action or a line of a running program.
PATIENCE_SECONDS = 15 * SLOWDOWN
# For a command, from its start to its end.
RUN_SECONDS = 20 * SLOWDOWN
