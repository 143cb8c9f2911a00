"""A program on its own terminal, as a person uses it: the screen, and typed keys."""

import fcntl
import os
import pty
import re
import signal
import struct
import termios
import threading

import pyte

from patience import SLOWDOWN

PATIENCE_SECONDS = 20 * SLOWDOWN
# High enough that nothing scrolls off, because tests read the screen from top to bottom.
ROWS = 400


class Terminal:
    """Runs a command on a pseudo-terminal, which becomes its controlling terminal."""

    def __init__(self, command, environment: dict, columns: int = 80):
        arguments = [str(part) for part in command]
        self.pid, self._descriptor = pty.fork()
        if self.pid == 0:
            try:
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, columns, 0, 0))
                os.execve(arguments[0], arguments, environment)
            finally:
                os._exit(127)
        self._bytes = bytearray()
        self._screen = pyte.Screen(columns, ROWS)
        self._stream = pyte.ByteStream(self._screen)
        self._position = 0
        self._is_over = False
        self._changed = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._code = None

    def send(self, text: str):
        os.write(self._descriptor, text.encode())

    def line(self, text: str):
        """Types a line and the Enter key."""
        self.send(text + "\r")

    def resize(self, columns: int):
        with self._changed:
            self._screen.resize(columns=columns)
        fcntl.ioctl(self._descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, columns, 0, 0))

    def expect(self, pattern: str) -> re.Match:
        """Waits until the pattern is on the screen after the last match."""
        with self._changed:
            found = None

            def looks() -> bool:
                nonlocal found
                found = re.search(pattern, self._text()[self._position:])
                return found is not None or self._is_over

            self._changed.wait_for(looks, PATIENCE_SECONDS)
            assert found, f"{pattern!r} was not shown; behind the last match stands {self._text()[self._position:]!r}"
            self._position += found.end()
            return found

    def shows(self, pattern: str):
        """Waits until the screen ends with the pattern, wherever the match begins: lines are redrawn while they are
        edited."""
        with self._changed:
            matched = self._changed.wait_for(
                lambda: self._is_over or re.search(f"(?:{pattern})$", self._text()), PATIENCE_SECONDS)
            assert matched and not self._is_over, f"{pattern!r} is not at the end of {self._text()!r}"
            self._position = len(self._text())

    def since(self) -> str:
        """Returns the text after the last match."""
        with self._changed:
            return self._text()[self._position:]

    def screen(self) -> str:
        """Returns the text of the whole screen."""
        with self._changed:
            return self._text()

    def style(self, text: str) -> pyte.screens.Char:
        """Returns the style of the first character of the text's last occurrence."""
        with self._changed:
            for row, line in reversed(list(enumerate(self._screen.display))):
                if (column := line.find(text)) >= 0:
                    return self._screen.buffer[row][column]
        raise AssertionError(f"{text!r} is not shown")

    def bytes(self) -> bytes:
        """Returns all bytes sent to the terminal."""
        with self._changed:
            return bytes(self._bytes)

    def signal(self, number: int):
        os.kill(self.pid, number)

    def wait(self) -> int:
        """Returns the exit code, negative for a signal."""
        if self._code is None:
            with self._changed:
                assert self._changed.wait_for(lambda: self._is_over, PATIENCE_SECONDS), f"it goes on: {self._text()!r}"
            self._reader.join()
            self._code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            os.close(self._descriptor)
        return self._code

    def modes(self) -> list:
        """Returns the settings of the terminal itself."""
        return termios.tcgetattr(self._descriptor)

    def end(self):
        """Ends the program if it still runs."""
        if self._code is None:
            try:
                os.kill(self.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.wait()

    def _text(self) -> str:
        lines = [line.rstrip() for line in self._screen.display]
        # The typed text ends at the cursor.
        row, column = self._screen.cursor.y, self._screen.cursor.x
        lines[row] = lines[row].ljust(column)
        return "\n".join(lines).rstrip("\n")

    def _read(self):
        while True:
            try:
                data = os.read(self._descriptor, 65536)
            except OSError:
                # On Linux, a read fails this way once the other end is closed.
                data = b""
            with self._changed:
                self._bytes += data
                self._stream.feed(data)
                self._is_over = self._is_over or not data
                self._changed.notify_all()
            if not data:
                return
