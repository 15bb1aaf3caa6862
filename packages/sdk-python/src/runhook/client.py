"""The clients: one that blocks, and one for asyncio. Their calls are the same."""

from ._asyncio.client import AsyncRunhook as AsyncRunhook
from ._blocking.client import Runhook as Runhook
