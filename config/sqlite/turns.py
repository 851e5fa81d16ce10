"""A lock that is given in the order in which it was asked for."""

import threading
from collections import deque


class Turns:
    """Queue with one turn at a time, first come, first served."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._is_taken = False

    def acquire(self, timeout: float) -> bool:
        """Wait for a turn, at most `timeout` seconds; return whether it came."""
        with self._mutex:
            if not self._is_taken:
                self._is_taken = True
                return True
            lock = threading.Lock()
            lock.acquire()
            self._waiting.append(lock)
        try:
            if lock.acquire(timeout=timeout):
                return True
        except BaseException:  # Ctrl-C: a turn that nobody takes would block everybody behind
            if not self._leave(lock):
                self.release()
            raise
        return not self._leave(lock)

    def release(self) -> None:
        """Pass the turn on to the longest waiting thread."""
        with self._mutex:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_taken = False

    def _leave(self, lock: threading.Lock) -> bool:
        """Leave the queue; return False if the turn came in that very moment."""
        with self._mutex:
            if lock not in self._waiting:
                return False
            self._waiting.remove(lock)
            return True
