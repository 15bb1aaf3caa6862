"""Numbers that another server gives. They may be anything, so they are used within bounds alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Bounds:
    least: float
    most: float
    otherwise: float
    """Stands for what is no number."""

    def of(self, value: Any) -> float:
        is_number = isinstance(value, (int, float)) and value == value
        return min(self.most, max(self.least, value)) if is_number else self.otherwise
