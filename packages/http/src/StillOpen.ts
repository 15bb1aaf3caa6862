/** Whether the key that a request came with still opens what it opened, for those who wait long. */
import type { Unauthorized } from "@runhook/core/Authentication"
import type { WaitingKey } from "@runhook/core/Waiting"
import * as Context from "effect/Context"

/** Set by the authorization of integration keys. */
export const StillOpen = Context.Reference<WaitingKey<Unauthorized> | null>("@runhook/http/StillOpen", {
  defaultValue: () => null
})
