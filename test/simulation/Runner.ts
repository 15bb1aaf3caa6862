/** A runner of an account: takes work, says that it lives, and says how the work ended, until it is heard. */
import type { ExecutionId, SessionId } from "@runhook/core/shared/Ids"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import type { Outcome } from "@runhook/core/runs/EndMoves"
import type { InFlight } from "@runhook/core/runs/Lease"
import type { Pulse } from "@runhook/core/runs/sessions/Pulse"
import { Polling } from "@runhook/core/runs/claim/Polling"
import { Runs } from "@runhook/core/runs/Runs"
import { newIntroduction, newQuestion } from "@runhook/test-support/engine/Runner"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import { Client } from "./Client.ts"
import { freezeMax } from "./Faults.ts"
import type { Step } from "./History.ts"
import type { Tenant } from "./Tenants.ts"
import type { World } from "./World.ts"

const capacity = 2

/** As the service tells runners. */
const beatEvery = Duration.seconds(15)
const pollWait = Duration.seconds(25)

/** Milliseconds that an attempt takes. */
const workMax = 20_000

export const startRunner = (world: World, tenant: Tenant, name: string): void => {
  const client = new Client(world, name)
  const { chance, history } = world
  const key = tenant.runnerKey
  /** What it works on, by execution. */
  const held = new Map<ExecutionId, { readonly epoch: number; readonly work: Fiber.Fiber<void> }>()

  const inFlight = (): ReadonlyArray<InFlight> =>
    [...held].map(([executionId, { epoch }]) => ({ executionId, epoch }))

  const drop = (id: ExecutionId, epoch: number): void => {
    const found = held.get(id)
    if (found?.epoch !== epoch) return
    held.delete(id)
    found.work.interruptUnsafe()
  }

  const crash = Effect.suspend(() => {
    history.note(name, { what: "fault", fault: "crashes" })
    client.host.isDown = true
    const delay = chance.between(100, 30_000)
    world.later(delay, () => startRunner(world, tenant, name))
    return Effect.never
  })

  const newOutcome = ({ epoch, executionId }: InFlight): Outcome =>
    chance.happens(0.7)
      ? { _tag: "Completed", result: StoredJson.of({ by: name, epoch, executionId }) }
      : { _tag: "Failed", message: `under ${epoch}`, isRetryable: true }

  /** A crash or a standstill before a step of the work, if it comes to that. */
  const misfortune = Effect.gen(function* () {
    if (!chance.happens(world.rates.runner / 3)) return
    if (chance.happens(0.5)) return yield* crash
    const milliseconds = chance.between(100, freezeMax)
    history.note(name, { what: "fault", fault: `stands still for ${milliseconds} ms` })
    yield* client.freeze(milliseconds)
  })

  /** Does the work of one claim. A runner that has lost it learns so when it says something. */
  const perform = Effect.fnUntraced(
    function* ({ epoch, executionId: id }: InFlight, isNew: boolean) {
      const ref = { key, id, epoch }
      const acknowledged = (step: Step) => history.note(name, { what: "acknowledged", id, epoch, step })
      yield* misfortune
      if (isNew) {
        history.note(name, { what: "alive", inFlight: [{ epoch, executionId: id }] })
        yield* client.send(Runs.use(({ start }) => start(ref)))
        acknowledged("started")
      }
      yield* client.pause(workMax)
      yield* misfortune
      if (isNew && chance.happens(0.2)) {
        const question = newQuestion({ expiresIn: Duration.seconds(chance.between(1, 60)) })
        yield* client.send(Runs.use(({ ask }) => ask({ ...ref, question })))
        acknowledged("awaiting_input")
        yield* client.pause(workMax)
        yield* misfortune
      }
      const outcome = newOutcome({ epoch, executionId: id })
      yield* client.send(Runs.use(({ finish }) => finish({ ...ref, outcome })))
      acknowledged(outcome._tag === "Completed" ? "completed" : "failed")
    },
    (work) => Effect.ignore(work)
  )

  const take = (claim: InFlight, isNew: boolean): Effect.Effect<void> =>
    Effect.gen(function* () {
      const { epoch, executionId } = claim
      if (held.get(executionId)?.epoch === epoch) return
      const work = yield* Effect.forkDetach(
        Effect.ensuring(
          Effect.andThen(Effect.yieldNow, perform(claim, isNew)),
          Effect.sync(() => {
            if (held.get(executionId)?.epoch === epoch) held.delete(executionId)
          })
        )
      )
      held.set(executionId, { epoch, work })
    })

  const obey = ({ commands, lost }: Pick<Pulse, "commands" | "lost">): void => {
    for (const { epoch, executionId } of lost) drop(executionId, epoch)
    for (const command of commands) if (command._tag === "Cancel") drop(command.executionId, command.epoch)
  }

  /** Leaves in order: what it has not started goes back. */
  const leave = Effect.fnUntraced(function* (sessionId: SessionId) {
    for (const [id, { epoch }] of held) drop(id, epoch)
    history.note(name, { what: "left", sessionId })
    yield* client.send(Runs.use(({ close }) => close(key, sessionId)))
    return yield* Effect.fail("left" as const)
  })

  const open = client.send(
    Runs.use((runs) => runs.open(key, newIntroduction({ instanceId: name, runnerName: name, capacity })))
  )

  const life = Effect.gen(function* () {
    const { held: recovered, session } = yield* open
    const told = { key, sessionId: session.id }
    for (const { run } of recovered)
      yield* take(
        { executionId: run.execution.id, epoch: run.execution.epoch },
        run.execution.status === "queued"
      )
    /** Says what it works on. */
    const alive = () => {
      const present = { ...told, inFlight: inFlight() }
      history.note(name, { what: "alive", inFlight: present.inFlight })
      return present
    }
    const beat = Effect.gen(function* () {
      yield* Effect.sleep(beatEvery)
      obey(
        yield* client.send(
          Effect.suspend(() => {
            const present = alive()
            return Polling.use((polling) => polling.beat(present))
          })
        )
      )
    })
    const poll = Effect.gen(function* () {
      const claimId = String(chance.random.nextIntUnsafe())
      const wanted = Effect.suspend(() => {
        const freeSlots = Math.max(0, capacity - held.size)
        const present = { ...alive(), claimId, freeSlots, isDraining: false, wait: pollWait }
        return Polling.use((polling) => polling.poll(present))
      })
      const { claims, ...news } = yield* client.send(wanted)
      obey(news)
      for (const { run } of claims)
        yield* take({ executionId: run.execution.id, epoch: run.execution.epoch }, true)
      if (chance.happens(world.rates.runner / 20)) return yield* leave(session.id)
      yield* client.pause(200)
    })
    return yield* Effect.raceFirst(Effect.forever(beat), Effect.forever(poll))
  })

  client.host.run(Effect.forever(Effect.andThen(Effect.ignore(life), client.pause(1_000))))
}
