/** The signed URLs under which the service receives and serves files. Everything about a file is in its URL. */
import type { KeyObject } from "node:crypto"
import { hostedFilesPath, Artifact, nameInKey } from "@runhook/core/artifacts/Artifact"
import type { JsonObject } from "@runhook/core/shared/json/Json"
import { GrantedAccounts, GrantRefused } from "@runhook/core/artifacts/HostedFiles"
import * as SignedToken from "@runhook/core/signing/SignedToken"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { StorageKey } from "./StorageKey.ts"

/** What signs the URLs and where they point. */
export interface GrantSettings {
  /** The service's URL for callers, without a slash at the end: `https://runhook.example.com`. */
  readonly baseUrl: string
  /** Signs the URLs; with another key, existing URLs stop working. */
  readonly grantKey: KeyObject
}

const { fileName, sha256, sizeBytes } = Artifact.fields

/** A grant for one purpose is worthless for the other. */
interface GrantKind<Payload extends JsonObject> {
  readonly purpose: string
  readonly payload: Schema.Codec<Payload, unknown>
}

export const uploadGrant = {
  purpose: "upload",
  payload: Schema.Struct({ key: StorageKey, sizeBytes, sha256 })
}

export const downloadGrant = {
  purpose: "download",
  payload: Schema.Struct({
    key: StorageKey,
    sizeBytes,
    sha256,
    fileName,
    disposition: Schema.Literals(["inline", "attachment"])
  })
}

/** A URL that grants this to anyone who has it, until it expires. */
export const issue = Effect.fnUntraced(function* <Payload extends JsonObject>(
  { baseUrl, grantKey }: GrantSettings,
  { purpose }: GrantKind<Payload>,
  { payload, expiresIn }: { readonly payload: Payload; readonly expiresIn: Duration.Duration }
) {
  const expiresAt = DateTime.addDuration(yield* DateTime.now, expiresIn)
  const token = SignedToken.sign(grantKey, purpose, { payload, expiresAt })
  return `${baseUrl}${hostedFilesPath}?grant=${token}`
})

/** What a token grants now. */
export const accept = Effect.fnUntraced(
  function* <Payload extends JsonObject & { readonly key: string }>(
    { grantKey }: GrantSettings,
    { purpose, payload }: GrantKind<Payload>,
    token: string
  ) {
    const at = yield* DateTime.now
    const granted = yield* Effect.fromResult(SignedToken.verify(grantKey, purpose, { token, at }))
    const accepted = yield* Schema.decodeUnknownEffect(payload)(granted)
    const isThere = yield* GrantedAccounts
    return (yield* isThere(nameInKey(accepted.key).accountId)) ? accepted : yield* new GrantRefused()
  },
  Effect.mapError(() => new GrantRefused())
)
