import { setTimeout as pause } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { durableDirectory } from "../DurableDirectory.ts"
import { type Lives, livesOf } from "./Lives.ts"
import { insist, makeTenant, queueUntil, workUntil } from "./Load.ts"
import { startReceiver } from "./Receiver.ts"

/**
 * How often the service is killed; RUNHOOK_KILLS asks for more. However few,
 * the test takes the 45 s that a callback interrupted by a kill stays leased.
 */
const kills = Number(process.env["RUNHOOK_KILLS"] ?? 3)

const adminKey = "the-admin-key-of-the-durability-test"
const integrators = 8

/** Pauses of between a tenth of a second and one, in an order that does not repeat itself. */
const livingMillis = (life: number): number => 100 + ((life * 617) % 900)

const eventTypes = ["execution.completed", "execution.queued", "execution.started"]

describe("the service", () => {
  it.live(
    `loses nothing it acknowledged and doubles nothing, killed ${kills} times under load`,
    () =>
      Effect.gen(function* () {
        const lives = livesOf({
          RUNHOOK_MODE: "development",
          RUNHOOK_DEMO: "off",
          RUNHOOK_DATA_DIR: yield* durableDirectory,
          RUNHOOK_ADMIN_KEY: adminKey
        })
        yield* Effect.addFinalizer(() => Effect.promise(lives.kill))
        yield* Effect.promise(() => liveAndDie(lives))
      }),
    { timeout: 90_000 + kills * 10_000 }
  )
})

const liveAndDie = async (lives: Lives): Promise<void> => {
  await using receiver = await startReceiver()
  await lives.start()
  const tenant = await makeTenant(lives, adminKey)
  let isQueued = false
  let isDone = false
  const queueing = Array.from({ length: integrators }, () =>
    queueUntil(lives, { callbackUrl: receiver.url, isOver: () => isQueued, tenant })
  )
  const working = workUntil(lives, tenant, () => isDone)

  for (let life = 0; life < kills; life++) {
    await pause(livingMillis(life))
    await lives.kill()
    await lives.start()
  }
  isQueued = true
  const queued = (await Promise.all(queueing)).flat()

  assert.isAbove(queued.length, kills)
  const api = (path: string) => insist(lives, { key: tenant.key, path: `/integrations/executions${path}` })
  for (const { id, reference } of queued) {
    assert.strictEqual((await api(`/${id}?wait=60`)).status, "completed")
    const { data } = await api(`?reference=${reference}`)
    assert.deepStrictEqual(
      data.map((execution: { readonly id: string }) => execution.id),
      [id]
    )
  }
  const isTold = ({ id }: { readonly id: string }) => receiver.typesOf(id).size === eventTypes.length
  for (let looks = 0; looks < 4_000 && !queued.every(isTold); looks++) await pause(20)
  for (const { id } of queued) assert.sameMembers([...receiver.typesOf(id)], eventTypes)
  isDone = true
  await working
}
