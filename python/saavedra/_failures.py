"""What may go wrong with an engine."""

from __future__ import annotations


class EngineError(RuntimeError):
    """The engine refuses, or answered what makes no sense. It can be asked something else."""


class EngineBusyError(EngineError):
    """The engine is held by an analysis that is open, or by a call of this very thread."""


class EngineTerminatedError(EngineError):
    """The engine is closed, or has ended by itself."""


class EngineTimeoutError(EngineTerminatedError, TimeoutError):
    """The engine did not answer in time, and was ended."""
