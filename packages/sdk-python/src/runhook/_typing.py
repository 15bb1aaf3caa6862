"""Words of `typing` that Python 3.10 lacks. Only type checkers read them; at run time they stand in annotations."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import NotRequired as NotRequired
    from typing_extensions import Self as Self
    from typing_extensions import Unpack as Unpack
else:
    try:
        from typing import NotRequired, Self, Unpack
    except ImportError:
        NotRequired = Self = Unpack = None
