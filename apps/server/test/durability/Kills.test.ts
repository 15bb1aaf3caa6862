import { setTimeout as pause } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { temporaryDirectory } from "../RunhookProcess.ts"
import { testPostgres } from "../TestPostgres.ts"
import { chanceOf } from "./Chance.ts"
import { type Fleet, fleetOf } from "./Fleet.ts"
import { beginWork } from "./Work.ts"

/** How often processes are killed. RUNHOOK_KILLS asks for more. */
const kills = Number(process.env["RUNHOOK_KILLS"] ?? 3)

/** What decides who is killed, and when. RUNHOOK_SEED asks for other chances. */
const seed = Number(process.env["RUNHOOK_SEED"] ?? 1)

const adminKey = "the-admin-key-of-the-durability-test"

describe("processes that share a database", () => {
  it.live(
    `lose nothing they acknowledged and double nothing, killed ${kills} times under load (seed ${seed})`,
    () =>
      Effect.gen(function* () {
        const { url } = yield* testPostgres
        const fleet = fleetOf({
          RUNHOOK_ADMIN_KEY: adminKey,
          RUNHOOK_SECRET_KEY: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
          RUNHOOK_CALLBACK_ALLOW: "127.0.0.0/8",
          RUNHOOK_DATA_DIR: yield* temporaryDirectory,
          RUNHOOK_DATABASE_URL: url,
          // What a killed process was about to tell is told by another so much later.
          RUNHOOK_DELIVERY_LEASE: "5"
        })
        yield* Effect.addFinalizer(() => Effect.promise(fleet.kill))

        yield* Effect.promise(() => liveAndDie(fleet))
      }),
    { timeout: 240_000 + kills * 20_000 }
  )
})

const liveAndDie = async (fleet: Fleet): Promise<void> => {
  const chance = chanceOf(seed)
  await fleet.start()
  await using work = await beginWork(fleet, adminKey)
  for (let life = 0; life < kills; life++) {
    await pause(chance.between(200, 1_000))
    // Sometimes two at once, which may be all of one role.
    const dying = new Set([chance.of(fleet.members), chance.of(fleet.members)])
    await Promise.all([...dying].map((member) => member.kill()))
    await Promise.all([...dying].map((member) => member.start()))
  }
  await work.complete()
  assert.isAbove(work.acknowledged(), kills)
}
