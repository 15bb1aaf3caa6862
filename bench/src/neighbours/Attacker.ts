/** The thread of the other account: prepares what it asks for, and asks without a pause between `begin` and `end`. */
import { setTimeout as pause } from "node:timers/promises"
import { parentPort, workerData } from "node:worker_threads"
import type { Service } from "../Service.ts"
import { attacks, type AttackName } from "./Attacks.ts"

export interface Orders {
  readonly name: AttackName
  readonly service: Pick<Service, "adminKey" | "baseUrl">
  readonly quick: boolean
}

/** What it was answered since `begin`. */
export interface Tally {
  readonly answered: number
  /** With a 2xx. */
  readonly served: number
}

const { name, quick, service }: Orders = workerData
const port = parentPort
if (port === null) throw new Error("Runs as a thread of the benchmark")

const tally = { answered: 0, served: 0 }
const ask = await attacks[name].prepare({ service, quick })
let round = new AbortController()

/** One caller of several: the next request when the last was answered. */
const keepAsking = async ({ signal }: AbortController) => {
  while (!signal.aborted) {
    const status = await ask().catch(() => 0)
    tally.answered += 1
    if (status >= 200 && status < 300) tally.served += 1
    // What fails at once must leave the thread time to hear that it ends.
    if (status === 0) await pause(10)
  }
}

port.on("message", (word) => {
  round.abort()
  if (word === "begin") {
    round = new AbortController()
    Object.assign(tally, { answered: 0, served: 0 })
    for (let caller = 0; caller < attacks[name].callers; caller++) void keepAsking(round)
  }
  port.postMessage({ ...tally })
})
port.postMessage({ ...tally })
