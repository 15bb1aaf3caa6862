/** One simulation: some minutes in which anything may go wrong, then calm until everything must have ended. */
import { isLive } from "@runhook/core/executions/ExecutionStatus"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Record from "effect/Record"
import { startCaller } from "./Caller.ts"
import { Chance } from "./Chance.ts"
import { Client } from "./Client.ts"
import { type FaultRates, noFaults, usualFaults } from "./Faults.ts"
import { startRunner } from "./Runner.ts"
import type { Transcript } from "./rules/Transcript.ts"
import { breachesOf } from "./rules/Rules.ts"
import { makeTenant, type Tenant } from "./Tenants.ts"
import { World } from "./World.ts"

export interface Scale {
  readonly seed: string
  readonly processes: number
  /** Of each account. */
  readonly runners: number
  readonly orders: number
  readonly rates: FaultRates
}

export interface Verdict extends Transcript {
  /** What did not hold, in words; empty if all did. */
  readonly breaches: ReadonlyArray<string>
}

/** Milliseconds from the beginning: until all is made, until faults end, until everything must be over. */
const madeBy = 10_000
const calmFrom = 80_000
const overBy = 3_600_000

/** As large, and as unlucky, as the seed decides. */
export const scaleOf = (seed: string): Scale => {
  const chance = new Chance(`scale ${seed}`)
  const luck = chance.pick([0.3, 1, 1, 3])
  const rates = Record.map(usualFaults, (rate) => Math.min(0.5, chance.happens(0.2) ? 0 : rate * luck))
  return {
    seed,
    processes: chance.between(1, 3),
    runners: chance.between(1, 3),
    orders: chance.between(4, 12),
    rates
  }
}

export const simulate = (scale: Scale): Verdict => {
  const world = new World(scale.seed)
  const { timeline } = world
  for (let number = 1; number <= scale.processes; number++) world.start(`service ${number}`)
  const operator = new Client(world, "operator")
  const tenants: Array<Tenant> = []
  operator.host.run(
    Effect.forEach(["acme.example", "other.example"], (domain) =>
      Effect.map(operator.send(makeTenant(domain)), (tenant) => tenants.push(tenant))
    )
  )
  timeline.runUntil(madeBy)
  if (tenants.length !== 2) throw new Error("The accounts of the simulation were not made")
  world.rates = scale.rates
  for (const tenant of tenants) {
    startCaller(world, tenant, `caller of ${tenant.domain}`, scale.orders)
    for (let number = 1; number <= scale.runners; number++)
      startRunner(world, tenant, `runner ${number} of ${tenant.domain}`)
  }
  world.later(world.chance.between(0, calmFrom - madeBy), () => world.maybeJump())
  timeline.runUntil(calmFrom)
  world.rates = noFaults
  world.history.note("everyone", { what: "calm" })
  while (timeline.elapsed < overBy && !isOver(world)) {
    timeline.runUntil(timeline.elapsed + 5_000)
    if (!isWorking(world)) passTime(world)
  }
  const transcript = { entries: world.history.entries, tables: world.tables, tenants }
  return { ...transcript, breaches: breachesOf(transcript) }
}

const isWorking = ({ intentions, tables }: World): boolean =>
  intentions > 0 ||
  Iterable.some(tables.schedules.values(), ({ nextAt }) => nextAt !== null) ||
  Iterable.some(tables.runs.values(), ({ execution }) => isLive(execution.status))

const dueTimes = ({ tables }: World): ReadonlyArray<number> =>
  [...tables.deliveries.values()].flatMap(({ nextAttemptAt }) =>
    nextAttemptAt === null ? [] : [nextAttemptAt.epochMilliseconds]
  )

const isOver = (world: World): boolean => !isWorking(world) && dueTimes(world).length === 0

/** Nothing happens any more before the next callback is due: there is no need to wait for it. */
const passTime = (world: World): void => {
  const next = Math.min(...dueTimes(world))
  if (Number.isFinite(next)) world.timeline.jumped += Math.max(0, next - world.timeline.now)
}
