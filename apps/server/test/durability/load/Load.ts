/** Integrators, observers, runners and a receiver, from beginning to end, and the history of what they saw. */
import { setTimeout as pause } from "node:timers/promises"
import { chanceOf } from "../Chance.ts"
import { allOf, type Final, type History, isTerminal } from "../history/History.ts"
import { owed } from "../history/Lost.ts"
import { makeTenantBy } from "./Asking.ts"
import { type Body, callsOf, type Service } from "./Calls.ts"
import { create, integrate } from "./Integrator.ts"
import { download, observe } from "./Observer.ts"
import { type Receiver, startReceiver } from "./Receiver.ts"
import { recorderOf } from "./Recorder.ts"
import { memory, run } from "./Runner.ts"
import type { World } from "./World.ts"

const integrators = 4
const observers = 2
const runners = 2

/** Looks, a second apart, until everything is over: longer than leases and pauses of receivers take. */
const looksMax = 180

/** Tries of a download at the end, when nothing happens to the service any more. */
const downloadsMax = 5

export interface Load extends AsyncDisposable {
  readonly accountId: string
  readonly receiver: Receiver
  readonly now: () => number
  /** What was seen until now, the receiver's disk included. */
  soFar(): Promise<History>
  acknowledged(): number
  /** Queues work whose runner crashes, which holds it until its lease ends. */
  crashOne(): Promise<void>
  /** Stops queueing; ends when the integrators have all their answers. */
  calmDown(): Promise<void>
  /** Ends when everything has ended and was called back, or never will be. */
  settle(): Promise<History>
}

export interface LoadOptions {
  readonly service: Service
  readonly adminKey: string
  readonly directory: string
  readonly seed: number
  /** Works until told to stop; by the calls of the runner API unless given. */
  readonly work?: (world: World, isOver: () => boolean) => Promise<void>
}

const byCalls = async (world: World, isOver: () => boolean): Promise<void> => {
  const shared = memory()
  await several(runners, () => run(world, shared, isOver))
}

const several = (count: number, one: () => Promise<void>) => Promise.all(Array.from({ length: count }, one))

export const beginLoad = async ({
  adminKey,
  directory,
  seed,
  service,
  work = byCalls
}: LoadOptions): Promise<Load> => {
  const chance = chanceOf(seed)
  const recorder = recorderOf()
  const receiver = await startReceiver({ chance, directory, now: recorder.now })
  const calls = callsOf(service, recorder)
  const tenant = await makeTenantBy(calls, adminKey)
  receiver.trust(tenant.signingSecret)
  const world: World = { calls, chance, recorder, tenant, callbackUrl: receiver.url, acknowledged: [] }
  let isCalm = false
  let isOver = false
  const callers = Promise.all([
    several(integrators, () => integrate(world, () => isCalm)),
    several(observers, () => observe(world, () => isCalm))
  ])
  const working = work(world, () => isOver)
  // A failure is reported when it is awaited.
  callers.catch(() => undefined)
  working.catch(() => undefined)

  const calmDown = async () => {
    isCalm = true
    // Runners go on, unless they fail.
    await Promise.race([callers, working])
  }

  return {
    accountId: tenant.accountId,
    receiver,
    now: recorder.now,
    soFar: async () => [...recorder.history(), ...(await receiver.receipts())],
    acknowledged: () => world.acknowledged.length,
    crashOne: async () => {
      await create(world, "crash")
    },
    calmDown,
    settle: async () => {
      await calmDown()
      let history = await seen(world, receiver)
      for (let looks = 0; looks < looksMax && !isSettled(history); looks++) {
        await pause(1_000)
        history = await seen(world, receiver)
      }
      isOver = true
      await working
      await downloadAll(world)
      return seen(world, receiver)
    },
    async [Symbol.asyncDispose]() {
      isCalm = true
      isOver = true
      await receiver[Symbol.asyncDispose]()
    }
  }
}

/** Fetches every file that was stored, with some tries each. */
const downloadAll = async (world: World): Promise<void> => {
  const isFetched = (fileId: string) =>
    allOf(world.recorder.history(), "fetched").some((fetched) => fetched.fileId === fileId)
  for (const { executionId, fileId } of allOf(world.recorder.history(), "stored")) {
    for (let tries = 0; tries < downloadsMax && !isFetched(fileId); tries++) {
      await download(world, executionId)
      if (!isFetched(fileId)) await pause(1_000)
    }
  }
}

/** The history until now, with what the service and the receiver's disk say at the end of it. */
const seen = async (world: World, receiver: Receiver): Promise<History> => {
  const finals = await finalsOf(world)
  return [...world.recorder.history(), ...(await receiver.receipts()), ...finals]
}

const isSettled = (history: History): boolean => {
  const arrived = new Set(allOf(history, "receipt").map(({ executionId, type }) => executionId + type))
  return allOf(history, "final").every(
    (final) => isTerminal(final.status) && owed(final).every((type) => arrived.has(final.executionId + type))
  )
}

/** Every execution of the tenant, as the API lists them. */
const finalsOf = async ({ calls, tenant }: World): Promise<ReadonlyArray<Final>> => {
  const finals: Array<Final> = []
  let after = ""
  for (;;) {
    const path = `/integrations/executions?limit=200${after}`
    const { body } = await calls.insist({ key: tenant.apiKey, path })
    finals.push(...body.data.map(finalOf))
    if (body.next_cursor === null) return finals
    after = `&cursor=${body.next_cursor}`
  }
}

const finalOf = ({ id, reference, result, started_at, status }: Body): Final => ({
  is: "final",
  executionId: id,
  reference,
  status,
  result: JSON.stringify(result),
  hasStarted: started_at !== null
})
