/** All that happened in a simulation, as the rules judge it and a person reads it. */
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import type { ExecutionId, SessionId } from "@runhook/core/shared/Ids"
import type { InFlight } from "@runhook/core/runs/Lease"
import type { Run } from "@runhook/core/runs/Run"
import type { Tables } from "@runhook/store-memory/MemoryDatabase"
import type { Timeline } from "./Timeline.ts"

export type Step = "started" | "awaiting_input" | "completed" | "failed"

export type Happening =
  /** A run as it was stored. */
  | { readonly what: "stored"; readonly run: Run; readonly now: number }
  /** A delivery as it was stored. */
  | { readonly what: "delivery"; readonly delivery: Delivery }
  /** A caller was told that its create made this. */
  | { readonly what: "created"; readonly order: string; readonly id: ExecutionId }
  /** A receiver heard a callback, and how it answered. */
  | {
      readonly what: "heard"
      readonly url: string
      readonly event: string
      readonly body: string
      readonly answer: number | "lost" | "hangs"
    }
  /** A runner was told that it has taken a step of its attempt. */
  | { readonly what: "acknowledged"; readonly id: ExecutionId; readonly epoch: number; readonly step: Step }
  /** A runner says what it works on. */
  | { readonly what: "alive"; readonly inFlight: ReadonlyArray<InFlight> }
  /** A runner closes its session. */
  | { readonly what: "left"; readonly sessionId: SessionId }
  /** What went wrong, or was made to. */
  | { readonly what: "fault"; readonly fault: string }
  /** Chance has no more part in it. */
  | { readonly what: "calm" }

export type Entry = Happening & { readonly elapsed: number; readonly who: string }

export class History {
  readonly entries: Array<Entry> = []
  readonly #timeline: Timeline

  constructor(timeline: Timeline) {
    this.#timeline = timeline
  }

  note(who: string, happening: Happening): void {
    this.entries.push({ ...happening, elapsed: this.#timeline.elapsed, who })
  }

  /** Notes whatever is stored in these tables. `who` says which process stores at the moment. */
  follow({ deliveries, runs }: Tables, who: () => string): void {
    const putRun = runs.put.bind(runs)
    runs.put = (run) => {
      putRun(run)
      this.note(who(), { what: "stored", run, now: this.#timeline.now })
    }
    const putDelivery = deliveries.put.bind(deliveries)
    deliveries.put = (delivery) => {
      putDelivery(delivery)
      this.note(who(), { what: "delivery", delivery })
    }
  }
}

/** When it happened. */
export const timeOf = ({ elapsed }: Pick<Entry, "elapsed">): string => `${(elapsed / 1_000).toFixed(3)} s`

/** An entry in a line. */
export const lineOf = (entry: Entry): string =>
  `${timeOf(entry).padStart(11)}  ${entry.who.padEnd(10)} ${textOf(entry)}`

const textOf = (entry: Entry): string => {
  switch (entry.what) {
    case "stored": {
      const { execution, lease, revision } = entry.run
      const held = lease === null ? "" : `, held by ${lease.sessionId} under ${lease.epoch}`
      return `stores ${execution.reference} ${execution.id} as ${execution.status}, revision ${revision}, epoch ${execution.epoch}${held}`
    }
    case "delivery":
      return `stores ${entry.delivery.type} ${entry.delivery.id} of ${entry.delivery.executionId} as ${entry.delivery.state}, attempts ${entry.delivery.attempts}`
    case "created":
      return `is told that ${entry.order} is ${entry.id}`
    case "heard":
      return `sends ${entry.event} to ${entry.url}: ${entry.answer}`
    case "acknowledged":
      return `is told that ${entry.id} under ${entry.epoch} is ${entry.step}`
    case "alive":
      return `works on ${entry.inFlight.map(({ epoch, executionId }) => `${executionId} under ${epoch}`).join() || "nothing"}`
    case "left":
      return `closes ${entry.sessionId}`
    case "fault":
      return entry.fault
    case "calm":
      return "no more faults"
  }
}
