/** Finds the owner of a presented key. Every invalid key fails in the same way. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { acceptedHashes, isUsable } from "./ApiKeyRecord.ts"
import { ApiKeyStore } from "./ApiKeyStore.ts"
import { RunnerKeyStore } from "./RunnerKeyStore.ts"
import { Pepper } from "./sealing/Pepper.ts"
import { type ApiKeyKind, matches, parse } from "../signing/ApiKey.ts"
import { isEqualInConstantTime } from "../signing/ConstantTime.ts"

/** The key is missing, malformed, unknown, expired or revoked. The answer never says which. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", {}) {
  override get message() {
    return "A valid key is required in the Authorization header: Bearer <key>"
  }
}

/** The operator's keys for the admin API. At least 32 characters each. */
export class AdminKeys extends Context.Service<AdminKeys, ReadonlyArray<Redacted.Redacted>>()(
  "@runhook/core/AdminKeys"
) {}

export class Authentication extends Context.Service<Authentication>()("@runhook/core/keys/Authentication", {
  make: Effect.gen(function* () {
    const adminKeys = yield* AdminKeys
    const apiKeys = yield* ApiKeyStore
    const pepper = yield* Pepper
    const runnerKeys = yield* RunnerKeyStore

    const prefixOf = (presented: Redacted.Redacted, kind: ApiKeyKind) => {
      const parsed = parse(Redacted.value(presented))
      return parsed?.kind === kind ? Effect.succeed(parsed.prefix) : Effect.fail(new Unauthorized())
    }

    const opens = (presented: Redacted.Redacted, hashes: ReadonlyArray<string>) =>
      hashes.some((hash) => matches({ pepper, key: Redacted.value(presented), hash }))

    const apiKey = Effect.fnUntraced(function* (presented: Redacted.Redacted) {
      const record = yield* apiKeys.findByPrefix(yield* prefixOf(presented, "live"))
      const at = yield* DateTime.now
      return record !== undefined && isUsable(record, at) && opens(presented, acceptedHashes(record, at))
        ? record
        : yield* new Unauthorized()
    })

    const runnerKey = Effect.fnUntraced(function* (presented: Redacted.Redacted) {
      const record = yield* runnerKeys.findByPrefix(yield* prefixOf(presented, "runner"))
      return record !== undefined && record.revokedAt === null && opens(presented, [record.secretHash])
        ? record
        : yield* new Unauthorized()
    })

    /** The index of the key among the operator's keys. */
    const adminKey = Effect.fnUntraced(function* (presented: Redacted.Redacted) {
      const key = Redacted.value(presented)
      const place = adminKeys.findIndex((each) => isEqualInConstantTime(Redacted.value(each), key))
      return place < 0 ? yield* new Unauthorized() : place
    })

    return { apiKey, runnerKey, adminKey }
  })
}) {
  static readonly layer = Layer.effect(Authentication, Authentication.make).pipe(Layer.provide(Pepper.layer))
}
