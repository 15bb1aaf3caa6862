/** Work that its runner still believes to hold, while another lease on it is held. */
import type { Artifact } from "@runhook/core/artifacts/Artifact"
import type { Run } from "@runhook/core/runs/Run"
import type { RunnerSession } from "@runhook/core/runs/sessions/RunnerSession"
import { ArtifactStore } from "@runhook/core/artifacts/ArtifactStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import * as Effect from "effect/Effect"
import { finalizeMs, newArtifact } from "../artifacts/ArtifactStoreSuite.ts"
import { makeRunnerKey } from "../catalog/CatalogFixtures.ts"
import { callbackUrl, makeTenant, plenty, second, type Tenant } from "../Fixtures.ts"
import { claimUpTo, lease, makeSession, makeStartedRun, newQuestion, writeTo } from "./RunFixtures.ts"

const holders = ["the same session", "another session", "another key"] as const
const progresses = ["claimed", "started", "asked"] as const

/** Who holds the work now, and how far it is there. */
export interface Situation {
  readonly holder: (typeof holders)[number]
  readonly progress: (typeof progresses)[number]
}

export const situations: ReadonlyArray<Situation> = holders.flatMap((holder) =>
  progresses.map((progress) => ({ holder, progress }))
)

export interface Fenced {
  /** As the runner that lost it knows it, whose lease ended at second 62. */
  readonly lost: Run
  readonly loser: RunnerSession
  /** What it registered and did not show yet. */
  readonly lostArtifact: Artifact
  /** As it is, from second 66 on. */
  readonly held: Run
  readonly holder: RunnerSession
  readonly heldArtifact: Artifact
}

const sessionOf = Effect.fnUntraced(function* (
  holder: Situation["holder"],
  { loser, tenant }: { readonly loser: RunnerSession; readonly tenant: Tenant }
) {
  switch (holder) {
    case "the same session":
      return loser
    case "another session":
      return yield* makeSession(tenant)
    case "another key": {
      const { id } = yield* makeRunnerKey(tenant.accountId)
      return yield* makeSession({ ...tenant, runnerKeyId: id })
    }
  }
})

const registered = Effect.fnUntraced(function* (run: Run, fileName: string) {
  const store = yield* ArtifactStore
  const artifact = yield* newArtifact(run, { fileName })
  return yield* Effect.orDie(store.register({ artifact, finalizeMs, quotaBytes: null, at: second(3) }))
})

const progressed = Effect.fnUntraced(function* (progress: Situation["progress"], claimed: Run) {
  const store = yield* RunStore
  if (progress === "claimed") return claimed
  const { run: started } = yield* Effect.orDie(store.start({ ...writeTo(claimed, second(64)), lease }))
  if (progress === "started") return started
  const input = yield* newQuestion(second(65))
  const { change } = yield* Effect.orDie(store.ask({ ...writeTo(started, second(65)), input }))
  return change.run
})

/** Work of an account of its own that one runner has lost and another holds. */
export const makeFencedRun = Effect.fnUntraced(function* ({ holder: name, progress }: Situation) {
  const sweeps = yield* SweepStore
  const tenant = yield* makeTenant()
  const { run: lost, session: loser } = yield* makeStartedRun(tenant, { maxAttempts: 3, callbackUrl })
  const lostArtifact = yield* registered(lost, "lost.pdf")
  yield* sweeps.expireLeases({ at: second(62), limit: plenty })
  const holder = yield* sessionOf(name, { loser, tenant })
  const { claims } = yield* claimUpTo(holder, { limit: 1, at: second(63) })
  const [claim] = claims
  if (claim === undefined) return yield* Effect.die(new Error("The lost work was not claimed again"))
  const heldArtifact = yield* registered(claim.run, "held.pdf")
  const held = yield* progressed(progress, claim.run)
  const fenced: Fenced = { lost, loser, lostArtifact, held, holder, heldArtifact }
  return fenced
})
