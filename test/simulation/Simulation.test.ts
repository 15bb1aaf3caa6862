/** `RUNHOOK_SEEDS=1000` plays as many simulations in place of forty; `npm run simulate` plays any. */
import { ExecutionId } from "@runhook/core/shared/Ids"
import * as Record from "effect/Record"
import { assert, describe, it } from "vitest"
import { noFaults, usualFaults } from "./Faults.ts"
import { type Entry, lineOf } from "./History.ts"
import type { Transcript } from "./rules/Transcript.ts"
import { breachesOf } from "./rules/Rules.ts"
import { type Scale, scaleOf, simulate } from "./Simulation.ts"
import { shrink, storyOf } from "./Story.ts"

const seeds = Number(process.env["RUNHOOK_SEEDS"] ?? 40)

describe("a service of several processes", () => {
  it("keeps every rule, whatever goes wrong", { timeout: 3_600_000 }, () => {
    for (let seed = 1; seed <= seeds; seed++)
      assert.deepStrictEqual(
        simulate(scaleOf(String(seed))).breaches,
        [],
        `npm run simulate -- --seed ${seed}`
      )
  })

  it("has everything go wrong that can", () => {
    const kinds = [
      /^crashes before/,
      /^crashes after/,
      /^stands still/,
      /^[\w.]+ is lost$/,
      /^the answer of .* is lost$/
    ]
    const rates = Record.map(usualFaults, () => 0.02)
    const faults = ["1", "2", "3", "4"].flatMap((seed) =>
      simulate({ ...scaleOf(seed), processes: 3, rates }).entries.flatMap((entry) =>
        entry.what === "fault" ? [entry.fault] : []
      )
    )
    assert.deepStrictEqual(
      kinds.filter((kind) => !faults.some((fault) => kind.test(fault))),
      []
    )
  })

  it("has the same history whenever it is played with the same seed", () => {
    const [one, other] = [1, 2].map(() => simulate(scaleOf("again")).entries.map(lineOf))
    assert.deepStrictEqual(one, other)
  })
})

const each = (change: (entry: Entry) => Entry) => (transcript: Transcript) => ({
  ...transcript,
  entries: transcript.entries.map(change)
})

const without = (isGone: (entry: Entry) => boolean) => (transcript: Transcript) => ({
  ...transcript,
  entries: transcript.entries.filter((entry) => !isGone(entry))
})

const nowhere = ExecutionId.make("00000000-0000-7000-8000-000000000000")

/** Histories that break one rule each. */
const breaches: Readonly<Record<string, (transcript: Transcript) => Transcript>> = {
  "an acknowledged create exists, once": each((entry) =>
    entry.what === "created" ? { ...entry, id: nowhere } : entry
  ),
  "statuses go by the table, and an end stays": without(
    (entry) => entry.what === "stored" && entry.run.execution.status === "running"
  ),
  "a stale epoch changes nothing": each((entry) =>
    entry.what === "stored" && entry.run.execution.status === "completed"
      ? { ...entry, run: { ...entry.run, execution: { ...entry.run.execution, epoch: 0 } } }
      : entry
  ),
  "a runner is told what its own epoch has done": each((entry) =>
    entry.what === "acknowledged" ? { ...entry, epoch: entry.epoch + 1 } : entry
  ),
  "a holder keeps its lease to its end": each((entry) =>
    entry.what === "stored" && entry.run.execution.status !== "queued"
      ? {
          ...entry,
          run: { ...entry.run, execution: { ...entry.run.execution, status: "queued" }, lease: null }
        }
      : entry
  ),
  "a lease is prolonged by its holder alone": without(({ what }) => what === "alive"),
  "an agent has no more at work than its capacity": (transcript) => ({
    ...transcript,
    tenants: transcript.tenants.map((tenant) => {
      const [one, other] = tenant.agents
      return { ...tenant, agents: [{ ...one, capacity: 0 }, other] }
    })
  }),
  "a key has no more at work than its limit": each((entry) =>
    entry.what === "stored"
      ? {
          ...entry,
          run: {
            ...entry.run,
            execution: { ...entry.run.execution, concurrency: { key: "one", limit: 0, policy: "queue" } }
          }
        }
      : entry
  ),
  "each status is told once": without(
    (entry) => entry.what === "stored" && entry.run.execution.status === "completed"
  ),
  "events arrive at least once, in equal bytes": each((entry) =>
    entry.what === "heard" ? { ...entry, body: `${entry.body} ` } : entry
  ),
  "events of an execution are in order": (transcript) => ({
    ...transcript,
    entries: transcript.entries
      .filter(({ what }) => what === "heard")
      .map((entry) => ({ ...entry, elapsed: -entry.elapsed }))
      .toReversed()
  }),
  "nothing reaches another account": each((entry) =>
    entry.what === "heard" ? { ...entry, url: "https://elsewhere.example/" } : entry
  ),
  "a schedule fires each due time once": (transcript) => ({
    ...transcript,
    tables: {
      ...transcript.tables,
      schedules: new Map(
        [...transcript.tables.schedules].map(([id, schedule]) => [id, { ...schedule, everySeconds: 1 }])
      )
    }
  }),
  "everything ends when faults stop": (transcript) => {
    const [run] = transcript.tables.runs.values()
    if (run !== undefined)
      transcript.tables.runs.put({ ...run, execution: { ...run.execution, status: "running" } })
    return transcript
  }
}

describe("the rule", () => {
  const transcript = simulate(scaleOf("rules"))

  it.each(Object.entries(breaches))("%s: notices a breach", (name, breach) => {
    assert.deepStrictEqual(transcript.breaches, [])
    assert.notDeepEqual(
      breachesOf(breach(transcript)).filter((words) => words.startsWith(name)),
      []
    )
  })
})

describe("a failing seed", () => {
  it("tells what happened to whom it concerns, in twenty lines at most", () => {
    const outcome = simulate(scaleOf("story"))
    const [run] = outcome.tables.runs.values()
    const breach = `a rule: ${run?.execution.id} is wrong`
    const story = storyOf({ ...outcome, breaches: [breach] })
    assert.strictEqual(story[0], breach)
    assert.isAtMost(story.length, 21)
    assert.isAbove(story.filter((line) => line.includes(run?.execution.id ?? "none")).length, 1)
  })

  it("is made as small as it can be while it breaks the same rule", () => {
    const outcome = simulate(scaleOf("small"))
    const breaksFrom = (orders: number) => (scale: Scale) => ({
      ...outcome,
      breaches: scale.orders >= orders ? ["another rule: breaks too", "a rule: is broken"] : []
    })
    const whole = { ...scaleOf("small"), processes: 3, orders: 12 }
    const [
      smallest,
      {
        breaches: [breach]
      }
    ] = shrink(whole, { ...outcome, breaches: ["a rule: is broken"] }, breaksFrom(5))
    assert.deepStrictEqual(smallest, { seed: "small", processes: 1, runners: 1, orders: 6, rates: noFaults })
    assert.strictEqual(breach, "a rule: is broken")
  })
})
