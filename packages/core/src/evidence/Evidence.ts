/** Signed statements of what ran, which anyone can verify without the service. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { jwkOf } from "./EvidenceKey.ts"
import { ExecutionNotEnded, hasEvidence, manifestEventsMax, manifestOf } from "./Manifest.ts"
import { AgentStore } from "../catalog/AgentStore.ts"
import { ApiKeyStore } from "../keys/ApiKeyStore.ts"
import { ArtifactStore } from "../artifacts/ArtifactStore.ts"
import { EvidenceKeyStore } from "./EvidenceKeyStore.ts"
import { HistoryStore } from "../executions/history/HistoryStore.ts"
import { RunStore } from "../runs/RunStore.ts"
import { TaskStore } from "../catalog/TaskStore.ts"
import { makeLookupCache } from "../engine/LookupCache.ts"
import { RunnerTimings, ServiceKeys } from "../Settings.ts"
import { sign } from "../signing/EvidenceSigner.ts"
import { fingerprint } from "../signing/Fingerprint.ts"
import type { ExecutionRef } from "../executions/Executions.ts"
import { spanned, useCase } from "../engine/UseCase.ts"

/** How long a process answers the same set of keys. One with a new key has published it before it signs with it. */
const keySetKept = Duration.minutes(1)

export class Evidence extends Context.Service<Evidence>()("@runhook/core/evidence/Evidence", {
  make: Effect.gen(function* () {
    const [newest, ...older] = yield* ServiceKeys
    const agents = yield* AgentStore
    const artifacts = yield* ArtifactStore
    const history = yield* HistoryStore
    const keys = yield* ApiKeyStore
    const publicKeys = yield* EvidenceKeyStore
    const runs = yield* RunStore
    const tasks = yield* TaskStore
    const { finalize } = yield* RunnerTimings

    // Also those of secret keys that come last, which are to be the first ones soon.
    yield* publicKeys.keep([newest, ...older].map(({ evidence: { kid, x } }) => ({ kid, x })))

    const keySets = makeLookupCache({
      lookup: () => Effect.map(publicKeys.list, (kept) => JSON.stringify({ keys: kept.map(jwkOf) })),
      isKept: () => true,
      keptFor: keySetKept
    })

    /** Signs what is kept of an execution that has ended, in the name of the service at the URL `issuer`. */
    const prove = useCase("Evidence.prove")(function* (ref: ExecutionRef, issuer: string) {
      const { execution, revision } = yield* runs.get(ref)
      const { accountId, agentId, apiKeyId, id, status, taskVersionId } = execution
      if (!hasEvidence(execution)) return yield* new ExecutionNotEnded({ id, status })
      const { task, version } = yield* tasks
        .resolveVersion({ accountId, versionId: taskVersionId })
        .pipe(Effect.orDie)
      const manifest = manifestOf({
        execution,
        task,
        version,
        agentName: yield* Effect.map(agents.find(accountId, agentId), ({ name }) => name).pipe(
          Effect.orElseSucceed(() => null)
        ),
        keyName: (yield* Effect.orDie(keys.get(accountId, apiKeyId))).name,
        events: yield* history.events({
          ...ref,
          after: Math.max(0, revision - manifestEventsMax),
          limit: manifestEventsMax
        }),
        artifacts: yield* artifacts.listReady(accountId, id),
        issuer,
        at: yield* DateTime.now,
        finalize,
        hashOf: ({ value }) => fingerprint(value)
      })
      return sign(newest.evidence, manifest)
    })

    /** The JSON Web Key Set of all keys that have signed or may sign, as text. */
    const keySet = keySets.get("all").pipe(spanned("Evidence.keySet"))

    return { keySet, prove }
  })
}) {
  static readonly layer = Layer.effect(Evidence, Evidence.make)
}
