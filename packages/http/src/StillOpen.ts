/** Whether the key or session that a request came with still opens what it opened, for those who wait long. */
import type { Unauthorized } from "@runhook/core/Authentication"
import type { SignedOut } from "@runhook/core/ConsoleSessions"
import type { WaitingKey } from "@runhook/core/Waiting"
import * as Context from "effect/Context"

/** Set by the authorization of integration keys, and of sessions. */
export const StillOpen = Context.Reference<WaitingKey<SignedOut | Unauthorized> | null>(
  "@runhook/http/StillOpen",
  {
    defaultValue: () => null
  }
)
