/** The secrets the server works with: those that were set, and in development those that were made. */
import { AdminKeys } from "@runhook/core/Authentication"
import { ServiceKeys } from "@runhook/core/ServiceKeys"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { findOrMake } from "./DevelopmentSecrets.ts"
import type { ServerSettings } from "./ServerSettings.ts"
import { keyRing } from "./SettingText.ts"
import { StartRefused } from "./StartRefused.ts"

/** Where the admin key comes from, for the words at the start. */
export type AdminKeyOrigin =
  | { readonly _tag: "Set" }
  | { readonly _tag: "Kept"; readonly path: string }
  | { readonly _tag: "Made"; readonly path: string; readonly key: Redacted.Redacted }

export class AdminKeyOrigins extends Context.Service<AdminKeyOrigins, AdminKeyOrigin>()(
  "@runhook/server/AdminKeyOrigin"
) {}

/** `ServiceKeys`, `AdminKeys`, and where the admin key comes from. */
export const layer = (settings: ServerSettings) =>
  Layer.effectContext(
    Effect.gen(function* () {
      if (settings.keyRing !== null && settings.adminKey !== null) {
        return contextOf(settings.keyRing, settings.adminKey, { _tag: "Set" })
      }
      const { adminKey, isNew, path, secretKey } = yield* findOrMake(settings.dataDir)
      const made = yield* Effect.fromResult(keyRing(Redacted.value(secretKey))).pipe(
        Effect.mapError((rule) => new StartRefused({ problems: [`The secret_key in ${path} ${rule}`] }))
      )
      const ring = settings.keyRing ?? made
      if (settings.adminKey !== null) return contextOf(ring, settings.adminKey, { _tag: "Set" })
      return contextOf(ring, adminKey, isNew ? { _tag: "Made", path, key: adminKey } : { _tag: "Kept", path })
    })
  )

const contextOf = (ring: ServiceKeys["Service"], adminKey: Redacted.Redacted, origin: AdminKeyOrigin) =>
  Context.make(ServiceKeys, ring).pipe(
    Context.add(AdminKeys, [adminKey]),
    Context.add(AdminKeyOrigins, origin)
  )
