/** The secrets of the server: those that were set, and in development those that were made. */
import { PepperStore } from "@runhook/core/keys/sealing/PepperStore"
import { ServiceKeys } from "@runhook/core/Settings"
import { AdminKeys } from "@runhook/core/keys/Authentication"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { StartupProblems } from "../process/StartupProblems.ts"
import { type DevelopmentSecrets, find, make, pathIn } from "./DevelopmentSecrets.ts"
import type { ServerSettings } from "./ServerSettings.ts"

/** Where the admin key comes from, for the words at the start. */
export type AdminKeyOrigin =
  | { readonly _tag: "Set" }
  | { readonly _tag: "Kept" | "Made"; readonly path: string; readonly key: Redacted.Redacted }

export class AdminKeyOrigins extends Context.Service<AdminKeyOrigins, AdminKeyOrigin>()(
  "@runhook/server/AdminKeyOrigin"
) {}

/**
 * `ServiceKeys`, `AdminKeys`, and where the admin key comes from. A missing secret
 * is found, or made if nothing is sealed yet: beside a database that holds
 * something sealed, a new secret key would open none of it.
 */
export const layer = (settings: ServerSettings) =>
  Layer.effectContext(
    Effect.gen(function* () {
      if (settings.secretKey !== undefined && settings.adminKey !== undefined) {
        return contextOf(settings.secretKey, settings.adminKey, { _tag: "Set" })
      }
      const path = yield* pathIn(settings.dataDir)
      const kept = yield* find(settings.dataDir)
      const found = Option.isSome(kept) ? kept.value : undefined
      const isSecretKeySet = settings.secretKey !== undefined
      const isComplete = found !== undefined && (isSecretKeySet || found.keyRing !== null)
      if (!isComplete && !isSecretKeySet && (yield* (yield* PepperStore).find) !== null) {
        return yield* secretKeyMissing(path, found)
      }
      const secrets = isComplete ? found : yield* make(settings.dataDir, { isSecretKeySet, kept })
      const ring = settings.secretKey ?? secrets.keyRing
      if (ring === null) return yield* secretKeyMissing(path, secrets)
      if (settings.adminKey !== undefined) return contextOf(ring, settings.adminKey, { _tag: "Set" })
      return contextOf(ring, secrets.adminKey, {
        _tag: found === undefined ? "Made" : "Kept",
        path,
        key: secrets.adminKey
      })
    })
  )

const secretKeyMissing = (path: string, found: DevelopmentSecrets | undefined) =>
  new StartupProblems({
    problems: [
      `${path} ${found === undefined ? "is missing" : "holds no secret_key"}, and all keys and signing secrets in the database are sealed with one: ` +
        "restore the file from a backup, or set RUNHOOK_SECRET_KEY to that key; no other one is made"
    ]
  })

const contextOf = (ring: ServiceKeys["Service"], adminKey: Redacted.Redacted, origin: AdminKeyOrigin) =>
  Context.make(ServiceKeys, ring).pipe(
    Context.add(AdminKeys, [adminKey]),
    Context.add(AdminKeyOrigins, origin)
  )
