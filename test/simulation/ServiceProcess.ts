/** A process of the service: the whole engine with a dispatcher, on a store that it shares with others. */
import * as MemoryArtifacts from "@runhook/artifacts/memory/MemoryArtifacts"
import { CurrentActor, theService } from "@runhook/core/audit/Actor"
import * as Engine from "@runhook/core/Engine"
import type { Topic } from "@runhook/core/signals/Signals"
import { isStoreAway } from "@runhook/core/engine/StoreUnavailable"
import { Draining } from "@runhook/core/engine/Draining"
import { ServiceKeys } from "@runhook/core/Settings"
import * as KeyRing from "@runhook/core/signing/KeyRing"
import { AdminKeys } from "@runhook/core/keys/Authentication"
import * as InlineParamsValidator from "@runhook/params/InlineParamsValidator"
import * as MemoryStore from "@runhook/store-memory/MemoryStore"
import * as WebhookDispatcher from "@runhook/webhook-dispatcher/WebhookDispatcher"
import type * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import { freezeMax } from "./Faults.ts"
import type { Host } from "./Host.ts"
import * as Receivers from "./Receivers.ts"
import * as SimulatedSignals from "./SimulatedSignals.ts"
import { remoteStores } from "./StorePorts.ts"
import type { World } from "./World.ts"

const keyRing = Result.getOrThrow(KeyRing.parse(Buffer.alloc(32, "runhook").toString("base64")))

const adapters = Layer.mergeAll(
  InlineParamsValidator.layer,
  MemoryArtifacts.layer({ baseUrl: "https://runhook.example.com", grantKey: keyRing[0].fileGrant }),
  Layer.succeed(AdminKeys, []),
  Layer.succeed(ServiceKeys, keyRing),
  Layer.succeed(CurrentActor, theService)
)

const retention = { delivered: Duration.days(30), dead: Duration.days(90) }

const engine = Engine.layer.pipe(
  Layer.merge(Engine.loops({ retention })),
  Layer.merge(WebhookDispatcher.layer()),
  Layer.provide(Draining.layer),
  Layer.provideMerge(adapters)
)

export type Services = Layer.Success<typeof engine>

/** Slowest way between a client and a process, and longest wait for an answer, in milliseconds. */
const onTheWayMax = 20
const answerWithin = 40_000

export class ServiceProcess {
  readonly host: Host
  readonly world: World
  /** Hears signals of other processes. */
  hear: (topics: ReadonlyArray<Topic>) => void = () => undefined
  #services: Context.Context<Services> | undefined
  /** Ends the requests that wait for it. */
  readonly #waiting = new Set<() => void>()

  constructor(world: World, name: string) {
    this.world = world
    this.host = world.host(name)
    // A start that fails ends its process, and whoever looks after it starts another.
    this.host.run(Effect.catchCause(this.#start, () => this.crash("as it starts")))
  }

  get chance() {
    return this.world.chance
  }

  get isReady(): boolean {
    return this.#services !== undefined && !this.host.isDown
  }

  readonly #start = Effect.gen({ self: this }, function* () {
    const own = Layer.forkMemoMapUnsafe(this.world.shared)
    const scope = Scope.makeUnsafe()
    const random = Layer.succeed(SecureRandom.SecureRandom, SecureRandom.make(this.chance.bytes))
    const stores = yield* Layer.buildWithMemoMap(Layer.provide(MemoryStore.layer, random), own, scope)
    const outside = Layer.mergeAll(
      random,
      Layer.succeedContext(remoteStores(this, stores)),
      SimulatedSignals.layer(this),
      Receivers.layer(this)
    )
    this.#services = yield* Layer.buildWithMemoMap(Layer.provide(engine, outside), own, scope)
  })

  /** Ends it in the middle of whatever it does, and starts another in its place some time later. */
  crash(where: string): Effect.Effect<never> {
    return Effect.suspend(() => {
      const { chance, host, world } = this
      world.history.note(host.name, { what: "fault", fault: `crashes ${where}` })
      host.isDown = true
      for (const end of this.#waiting) end()
      world.later(chance.between(100, 30_000), () => world.start(host.name))
      return Effect.never
    })
  }

  /** Stands still for a while. */
  readonly freeze = Effect.sync(() => {
    const milliseconds = this.chance.between(100, freezeMax)
    this.world.history.note(this.host.name, { what: "fault", fault: `stands still for ${milliseconds} ms` })
    this.host.freeze(milliseconds)
  })

  /** What a client at another machine is answered; nothing if no answer comes, whatever the process has done. */
  answer<A, E>(client: Host, request: Effect.Effect<A, E, Services>): Effect.Effect<Option.Option<A>, E> {
    return Effect.callback((resume) => {
      const { chance, host, world } = this
      const back = (answer: Effect.Effect<Option.Option<A>, E>) => {
        this.#waiting.delete(end)
        client.after(chance.between(0, onTheWayMax), () => resume(answer))
      }
      const end = () => back(Effect.succeedNone)
      const isLost = () => chance.happens(world.rates.messageLost)
      const callOff = client.after(answerWithin, end)
      this.#waiting.add(end)
      if (!isLost())
        host.after(chance.between(0, onTheWayMax), () => {
          if (this.#services === undefined) return end()
          const fiber = host.run(Effect.provideContext(request, this.#services))
          fiber.addObserver((exit) => {
            if (isLost()) return
            if (Exit.isFailure(exit) && isStoreAway(exit.cause)) end()
            else back(Effect.asSome(exit))
          })
        })
      return Effect.sync(callOff)
    })
  }
}
