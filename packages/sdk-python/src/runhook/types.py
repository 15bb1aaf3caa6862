"""What the service takes and answers, under the names and in the shapes of its API.

What callers write is a `TypedDict`, most often spread over keyword arguments; what they read is a frozen dataclass.
Fields of a later version of the service are left out, and words of a later version are given unchanged.
"""

from ._generated.integration import *
