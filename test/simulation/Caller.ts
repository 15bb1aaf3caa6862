/** A program of an account that queues executions, and does to them what callers may. */
import type { CreateExecution } from "@runhook/core/executions/create/CreateExecution"
import type { Execution } from "@runhook/core/executions/Execution"
import { Executions } from "@runhook/core/executions/Executions"
import { Inputs } from "@runhook/core/runs/Inputs"
import { newRequest } from "@runhook/test-support/engine/Tenant"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { Client } from "./Client.ts"
import type { Tenant } from "./Tenants.ts"
import type { World } from "./World.ts"

/** Its key may do all. */
const everything = { taskIds: null, agentIds: null }

/** Milliseconds between two orders, and between an order and what its caller does about it. */
const orderEvery = 5_000
const changeOfMindMax = 40_000

export const startCaller = (world: World, tenant: Tenant, name: string, orders: number): Client => {
  const client = new Client(world, name)
  const { chance } = world
  const { accountId } = tenant.caller

  const newOrder = (): Partial<CreateExecution> => ({
    callbackUrl: `https://hooks.${tenant.domain}/${chance.between(1, 2)}`,
    priority: chance.between(-1, 1),
    isHeld: chance.happens(0.05),
    scheduledAt: chance.happens(0.1)
      ? DateTime.makeUnsafe(world.timeline.now + chance.between(1, 60_000))
      : null,
    timeoutSeconds: chance.happens(0.2) ? chance.between(5, 60) : null,
    concurrency: chance.happens(0.3)
      ? { key: "printer", limit: 2, policy: chance.pick(["queue", "queue", "cancel_running"]) }
      : null
  })

  /** Gives up, or changes its mind, sooner or later. */
  const followUp = Effect.fnUntraced(
    function* ({ id, status }: Execution) {
      const ref = { accountId, id, scope: everything }
      yield* client.pause(changeOfMindMax)
      if (status === "pending" || chance.happens(0.1))
        yield* client.send(Executions.use(({ release }) => release(ref)))
      if (chance.happens(0.15))
        yield* client.send(Executions.use(({ stop }) => stop({ ...ref, to: "aborted", reason: "enough" })))
    },
    (work) => Effect.ignore(work)
  )

  const order = Effect.fnUntraced(
    function* (reference: string) {
      const agent = chance.pick(tenant.agents)
      const task = chance.pick(tenant.tasks)
      const call = {
        caller: tenant.caller,
        request: newRequest({ agent, task }, { ...newOrder(), reference }),
        idempotencyKey: reference,
        requestId: "req_simulated"
      }
      const { execution } = yield* client.send(Executions.use(({ create }) => create(call)))
      world.history.note(name, { what: "created", order: reference, id: execution.id })
      yield* followUp(execution)
    },
    (work) =>
      Effect.ensuring(
        Effect.ignore(work),
        Effect.sync(() => (world.intentions -= 1))
      )
  )

  const answerQuestions = Effect.gen(function* () {
    yield* Effect.sleep(Duration.seconds(5))
    for (const { execution, inputs } of world.tables.runs.values()) {
      const open = inputs.at(-1)
      if (execution.accountId !== accountId || execution.status !== "awaiting_input" || open === undefined)
        continue
      const answer = { accountId, id: execution.id, scope: everything, inputId: open.id, value: "1234" }
      yield* Effect.ignore(client.send(Inputs.use((use) => use.answer(answer))))
    }
  })

  world.intentions += orders
  client.host.run(
    Effect.gen(function* () {
      for (let number = 1; number <= orders; number++) {
        yield* client.pause(orderEvery)
        yield* Effect.forkDetach(order(`${name}-${number}`))
      }
    })
  )
  client.host.run(Effect.forever(answerQuestions))
  return client
}
