/** The statements that store many moves at once look at what they move, and at nothing else. */
import { EventId, newId } from "@runhook/core/domain/Ids"
import { StoredJson } from "@runhook/core/domain/json/StoredJson"
import { finish } from "@runhook/core/domain/run/EndMoves"
import { giveBack, start } from "@runhook/core/domain/run/LeaseMoves"
import type { Change, Run } from "@runhook/core/domain/run/Run"
import { Buckets } from "@runhook/store-pg/accounts/Buckets"
import type { Step } from "@runhook/store-pg/moves/Move"
import { readRuns } from "@runhook/store-pg/moves/ReadRuns"
import { storeSteps } from "@runhook/store-pg/moves/StoreSteps"
import { anExecution, callbackUrl, second } from "@runhook/store-testing/Fixtures"
import { claimUpTo, lease } from "@runhook/store-testing/runs/RunFixtures"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { SqlClient } from "effect/sql/SqlClient"
import { Filled } from "./Filled.ts"
import { suite, type Verb } from "./FullTables.ts"

const at = second(2)

/** Moves in a group. A plan may hold each of them against each other, and nothing else. */
const together = 40

const epochOf = ({ execution }: Run) => execution.epoch

const makeVerbs = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { session, tenant } = yield* Filled
  const bucket = yield* Buckets.use((buckets) => buckets.of(tenant.accountId)).pipe(
    Effect.provide(Buckets.layer)
  )
  yield* Effect.forEach(Array.from({ length: together }), () =>
    anExecution(tenant, { callbackUrl, priority: 1_000 })
  )
  const random = yield* SecureRandom
  const { claims } = yield* claimUpTo(session, { limit: together, at: second(1) })
  const ids = claims.map(({ run }) => run.execution.id)

  const stored = Effect.fnUntraced(function* (move: (run: Run) => Result.Result<Change, unknown>) {
    const { runs } = yield* readRuns(sql, bucket, ids)
    const eventIds = yield* Effect.forEach(ids, () => newId(EventId)).pipe(
      Effect.provideService(SecureRandom, random)
    )
    const steps = Array.from(runs.values(), (before, place): Step => {
      const { accountId, id } = before.run.execution
      const change = { ...Result.getOrThrow(move(before.run)), deliveryId: eventIds[place] }
      const asked = { ref: { accountId, id }, at, urgency: "asked", judge: () => change } as const
      return { move: { ...asked, audit: () => undefined }, before, change, at, audit: undefined }
    })
    const rows = yield* storeSteps(sql, { bucket, steps, locked: "skip" })
    return rows.length === together ? undefined : yield* Effect.die(new Error("Not all were moved"))
  })

  const verbs: ReadonlyArray<Verb> = [
    { name: "starts", run: stored((run) => start(run, { epoch: epochOf(run), at, lease })) },
    {
      name: "work given back",
      run: stored((run) => giveBack(run, { epoch: epochOf(run), at, delay: Duration.zero }))
    },
    {
      name: "ends",
      run: Effect.flatMap(
        stored((run) => start(run, { epoch: epochOf(run), at, lease })),
        () =>
          stored((run) =>
            finish(run, {
              epoch: epochOf(run),
              outcome: { _tag: "Completed", result: StoredJson.of({ sum: 3 }) },
              fingerprint: "done",
              at
            })
          )
      )
    }
  ]
  return verbs
})

suite("groups of moves", "caller", makeVerbs)
