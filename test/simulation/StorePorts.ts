/** The stores as a process reaches them: every call takes time, can fail, and can be the last of its process. */
import { DeliveryInlets } from "@runhook/core/deliveries/queue/DeliveryInlets"
import { StoreUnavailable } from "@runhook/core/engine/StoreUnavailable"
import { WorkInlets } from "@runhook/core/runs/claim/WorkInlets"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { ServiceProcess } from "./ServiceProcess.ts"

/** What stands beside the stores, and a process has for itself. */
const ofProcess: ReadonlySet<string> = new Set([DeliveryInlets.key, WorkInlets.key])

/** The same services, with every call on its way to another machine. */
export const remoteStores = <Services>(
  process: ServiceProcess,
  stores: Context.Context<Services>
): Context.Context<Services> =>
  Context.makeUnsafe(
    new Map(
      [...stores.mapUnsafe].map(([name, store]) => [
        name,
        isObject(store) && !ofProcess.has(name) ? remote(process, name, store) : store
      ])
    )
  )

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const remote = <Store extends object>(process: ServiceProcess, name: string, store: Store): Store =>
  new Proxy(store, {
    get: (target, key) => {
      const found: unknown = Reflect.get(target, key)
      const verb = `${name.slice(name.lastIndexOf("/") + 1)}.${String(key)}`
      if (Effect.isEffect(found)) return remoteCall(process, verb, found)
      if (typeof found !== "function") return found
      return (...given: ReadonlyArray<unknown>) => {
        const answer: unknown = Reflect.apply(found, target, given)
        return Effect.isEffect(answer) ? remoteCall(process, verb, answer) : answer
      }
    }
  })

const lost = new StoreUnavailable({ reason: "the simulation lost the call" })

const remoteCall = <A, E, R>(
  process: ServiceProcess,
  verb: string,
  call: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const { chance, host, world } = process
    const { answerLost, callLost, crash, freeze } = world.rates
    yield* Effect.sleep(chance.between(0, 3))
    if (chance.happens(crash)) return yield* process.crash(`before ${verb}`)
    if (chance.happens(callLost)) {
      world.history.note(host.name, { what: "fault", fault: `${verb} is lost` })
      return yield* Effect.die(lost)
    }
    const exit = yield* Effect.exit(Effect.suspend(() => world.storingAs(host.name, call)))
    if (chance.happens(crash)) return yield* process.crash(`after ${verb}`)
    if (chance.happens(freeze)) yield* process.freeze
    yield* Effect.sleep(chance.between(0, 3))
    if (chance.happens(answerLost)) {
      world.history.note(host.name, { what: "fault", fault: `the answer of ${verb} is lost` })
      return yield* Effect.die(lost)
    }
    return yield* exit
  })
