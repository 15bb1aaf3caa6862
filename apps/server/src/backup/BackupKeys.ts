/** The secret keys that sign a backup, and that open what is sealed in it. */
import type { Keys } from "@runhook/core/signing/KeyRing"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Given } from "../config.ts"
import { CommandFailed } from "../logging/Reporting.ts"
import * as DevelopmentSecrets from "../settings/DevelopmentSecrets.ts"

type KeySettings = Pick<Given, "dataDir" | "secretKey">

/** The keys of the settings, or those that development mode has made; none if there are neither. */
export const secretKeys = Effect.fnUntraced(function* ({ dataDir, secretKey }: KeySettings) {
  if (secretKey !== undefined) return secretKey
  return Option.getOrNull(yield* DevelopmentSecrets.find(dataDir))?.keyRing ?? []
})

/** These keys, if all that are named are among them. */
export const keysWith = Effect.fnUntraced(function* (
  ids: ReadonlyArray<string>,
  { dataDir, keys }: { readonly keys: ReadonlyArray<Keys>; readonly dataDir: string }
) {
  const lacking = ids.filter((id) => !keys.some((each) => each.id === id))
  if (lacking.length === 0 && Arr.isReadonlyArrayNonEmpty(keys)) return keys
  return yield* new CommandFailed({
    reason:
      `The secret key${lacking.length > 0 ? ` ${lacking.join(" and ")}` : ""} of the backed-up service is missing, ` +
      `which signs the backup and opens what is sealed in it: set RUNHOOK_SECRET_KEY, or put the service's secrets.json into ${dataDir}`
  })
})
