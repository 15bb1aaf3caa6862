/** Sealed values in memory, with the pepper, which is one of them. */
import type { KeyName } from "@runhook/core/audit/KeyEvents"
import { PepperStore } from "@runhook/core/keys/sealing/PepperStore"
import { type SealedKind, type SealedValue, SealedValues } from "@runhook/core/keys/sealing/SealedValues"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { makeAudited } from "../audit/Audited.ts"
import { MemoryDatabase, type Tables } from "../MemoryDatabase.ts"

interface Place extends Omit<SealedValue, "kind" | "sealed"> {
  readonly sealed: string | null
  readonly put: (to: string) => void
  readonly key?: KeyName | undefined
}

/** All places of values of a kind. */
const places: { readonly [Kind in SealedKind]: (tables: Tables) => ReadonlyArray<Place> } = {
  signingSecret: ({ apiKeys, signingSecrets }) =>
    [...signingSecrets].flatMap(([keyId, secrets]) =>
      secrets.map(({ ciphertext: sealed, id }) => ({
        accountId: null,
        id,
        sealed,
        key: apiKeys.get(keyId),
        put: (ciphertext) => {
          const now = signingSecrets.get(keyId) ?? []
          signingSecrets.set(
            keyId,
            now.map((each) => (each.id === id ? { ...each, ciphertext } : each))
          )
        }
      }))
    ),
  alertTarget: ({ alertTargets }) =>
    [...alertTargets.values()].map((target) => ({
      ...target,
      sealed: target.ciphertext,
      put: (ciphertext) => alertTargets.set(target.id, { ...target, ciphertext })
    })),
  endpoint: ({ endpoints }) =>
    [...endpoints.values()].map((endpoint) => ({
      ...endpoint,
      sealed: endpoint.ciphertext,
      put: (ciphertext) => endpoints.set(endpoint.id, { ...endpoint, ciphertext })
    })),
  previousOfEndpoint: ({ endpoints }) =>
    [...endpoints.values()].map((endpoint) => ({
      ...endpoint,
      sealed: endpoint.previousCiphertext,
      put: (previousCiphertext) => endpoints.set(endpoint.id, { ...endpoint, previousCiphertext })
    })),
  params: ({ runs }) =>
    Array.from(runs.values()).map((run) => ({
      accountId: run.execution.accountId,
      id: run.execution.id,
      sealed: run.execution.sealedParams,
      put: (sealedParams) => runs.put({ ...run, execution: { ...run.execution, sealedParams } })
    })),
  pepper: ({ secrets }) =>
    [...secrets].map(([id, sealed]) => ({
      accountId: null,
      id,
      sealed,
      put: (to) => secrets.set(id, to)
    }))
}

export const layer = Layer.effect(
  SealedValues,
  Effect.gen(function* () {
    const tables = yield* MemoryDatabase
    const audited = yield* makeAudited

    return SealedValues.of({
      sealedOtherwise: ({ after, kind, limit, prefix }) =>
        Effect.sync(() =>
          places[kind](tables)
            .flatMap(({ accountId, id, sealed }) =>
              sealed !== null && !sealed.startsWith(prefix) && (after === null || id > after)
                ? [{ accountId, id, kind, sealed }]
                : []
            )
            .toSorted((one, other) => (one.id < other.id ? -1 : 1))
            .slice(0, limit)
        ),

      reseal: ({ id, kind, sealed }, to, audit) =>
        audited((note) => {
          const place = places[kind](tables).find((each) => each.id === id && each.sealed === sealed)
          if (place?.key !== undefined) note(audit?.(place.key))
          place?.put(to)
          return Result.void
        })
    })
  })
)

export const layerPepper = Layer.effect(
  PepperStore,
  Effect.map(MemoryDatabase, ({ secrets }) =>
    PepperStore.of({
      find: Effect.sync(() => secrets.get("pepper") ?? null),
      findOrKeep: (offered) =>
        Effect.sync(() => {
          const sealed = secrets.get("pepper") ?? offered
          secrets.set("pepper", sealed)
          return sealed
        })
    })
  )
)
