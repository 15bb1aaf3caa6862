/** `npm run bench -- create`: runs one or more benchmarks, one after the other, and prints their results. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import type { Bench } from "./Bench.ts"
import { citus } from "./citus.ts"
import { claim } from "./claim.ts"
import { create } from "./create.ts"
import { deliver } from "./deliver.ts"
import { isolation } from "./isolation.ts"
import { lifecycle } from "./lifecycle.ts"
import { list } from "./list.ts"
import { machine } from "./Load.ts"
import { model } from "./model/model.ts"
import * as Ours from "./Ours.ts"
import { soak } from "./soak.ts"
import { trickle } from "./trickle.ts"

const benches: Readonly<Record<string, Bench>> = {
  citus,
  claim,
  create,
  deliver,
  isolation,
  lifecycle,
  list,
  model,
  soak,
  trickle
}

const isAmount = (value: number): boolean => Number.isFinite(value) && value > 0

/** Fewer rows would be no backlog and no history. */
const rowsMin = 10_000

const usage = `Usage: npm run bench -- ${Object.keys(benches).join("|")}... [--quick] [--rows <number>] [--minutes <number>] [--rate <number>] [--csv <file>] [--profile <folder>]`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    rows: { type: "string" },
    minutes: { type: "string", default: "60" },
    rate: { type: "string", default: "20" },
    csv: { type: "string" },
    profile: { type: "string" }
  }
})

const asked = positionals.flatMap((name) => benches[name] ?? [])
const rows = Number(values.rows ?? (values.quick ? rowsMin : 10_000_000))
const minutes = Number(values.minutes)
const perSecond = Number(values.rate)
const isUsable = Number.isSafeInteger(rows) && rows >= rowsMin && isAmount(minutes) && isAmount(perSecond)
if (asked.length === 0 || asked.length < positionals.length || !isUsable) {
  console.error(usage)
  process.exit(2)
}

const resources = new AsyncDisposableStack()
let isStopping = false

/** Ends whatever was started, once. */
const stop = async (code: number) => {
  if (isStopping) return
  isStopping = true
  await resources.disposeAsync()
  process.exit(code)
}

const fail = async (error: unknown) => {
  if (!isStopping) console.error(error)
  await stop(1)
}

process.once("SIGINT", () => void stop(130))
process.once("SIGTERM", () => void stop(143))
// Everything started must also end when a promise that is not awaited fails.
process.once("uncaughtException", (error) => void fail(error))

const folder = await mkdtemp(join(tmpdir(), "runhook-bench-"))
resources.defer(() => rm(folder, { recursive: true, force: true }))
const profile = values.profile === undefined ? null : resolve(values.profile)

console.log(machine())
const csv = resolve(
  values.csv ?? join(tmpdir(), `runhook-soak-${new Date().toISOString().replaceAll(":", "-")}.csv`)
)
/** Its start is most of a bench without a load. */
let shared: Promise<Ours.Ours> | undefined
const run = async () => {
  for (const bench of asked) {
    await using own = new AsyncDisposableStack()
    // A run that is stopped ends what this one has started.
    resources.defer(() => own.disposeAsync())
    await bench({
      folder,
      resources: own,
      ours: () =>
        values.quick
          ? (shared ??= Ours.start({ folder, profile }, resources))
          : Ours.start({ folder, profile }, own),
      quick: values.quick,
      profile,
      rows,
      soak: { minutes, perSecond, csv }
    })
  }
}
await run().then(() => stop(0), fail)
