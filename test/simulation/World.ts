/** What the machines of a simulation share: time, chance, the database, the network, and the history. */
import { MemoryDatabase, type Tables } from "@runhook/store-memory/MemoryDatabase"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { Chance } from "./Chance.ts"
import { type FaultRates, noFaults } from "./Faults.ts"
import { History } from "./History.ts"
import { Host } from "./Host.ts"
import { ServiceProcess } from "./ServiceProcess.ts"
import { Timeline } from "./Timeline.ts"

/** When every simulation begins. */
const begun = Date.UTC(2026, 0, 1)

export class World {
  readonly chance: Chance
  readonly timeline: Timeline
  readonly history: History
  readonly tables: Tables
  /** What all processes have built already: the database. */
  readonly shared: Layer.MemoMap
  /** The processes of the service, those that are down among them. */
  readonly processes: Array<ServiceProcess> = []
  rates: FaultRates = noFaults
  /** What callers still mean to do. */
  intentions = 0
  #storing = "nobody"
  readonly #seed: string
  #hosts = 0
  /** What does not belong to the machines: who starts them. */
  readonly #outside: Host

  constructor(seed: string) {
    this.#seed = seed
    this.chance = new Chance(seed)
    this.timeline = new Timeline(this.chance, begun)
    this.history = new History(this.timeline)
    this.#outside = this.host("outside")
    this.shared = Layer.makeMemoMapUnsafe()
    const built = Effect.runSync(
      Layer.buildWithMemoMap(MemoryDatabase.layer, this.shared, Scope.makeUnsafe())
    )
    this.tables = Context.get(built, MemoryDatabase)
    this.history.follow(this.tables, () => this.#storing)
  }

  host(name: string): Host {
    this.#hosts += 1
    return new Host(name, this.timeline, new Chance(`${this.#seed} ${this.#hosts}`))
  }

  /** The call, as one of that machine. A store in memory is done in one go. */
  storingAs<A, E, R>(name: string, call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    this.#storing = name
    return call
  }

  /** Does something that belongs to no machine, after so many milliseconds. */
  later(milliseconds: number, run: () => void): void {
    this.timeline.after(milliseconds, this.#outside, run)
  }

  /** Puts all clocks forward, if it comes to that. */
  maybeJump(): void {
    if (!this.chance.happens(this.rates.jump)) return
    const milliseconds = this.chance.between(1_000, 120_000)
    this.history.note("clocks", { what: "fault", fault: `jump by ${milliseconds} ms` })
    this.timeline.jumped += milliseconds
  }

  start(name: string): void {
    const others = this.processes.filter(({ host }) => !host.isDown)
    this.processes.splice(0, Infinity, ...others, new ServiceProcess(this, name))
  }

  /** A process that answers, if there is one. */
  anyProcess(): ServiceProcess | undefined {
    const [first, ...others] = this.processes.filter(({ isReady }) => isReady)
    return first && this.chance.pick([first, ...others])
  }
}
