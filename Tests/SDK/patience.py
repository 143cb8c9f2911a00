"""Timeouts of tests for events that must happen; only a hang takes longer."""

import os

# Under a sanitizer (Tests/Sanitizers/run) a program takes several times as long.
SLOWDOWN = int(os.environ.get("HEADGATE_TEST_SLOWDOWN", "1"))

READY_SECONDS = 20 * SLOWDOWN
EXIT_SECONDS = 20 * SLOWDOWN
# Timeout of an action or a log line of a running program, in seconds.
PATIENCE_SECONDS = 15 * SLOWDOWN
# Timeout of a command, from its start to its exit, in seconds.
RUN_SECONDS = 20 * SLOWDOWN
