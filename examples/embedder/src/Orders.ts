/** The host's orders. Each has an execution: either both are stored or neither. */
import { CurrentActor, theService } from "@runhook/core/audit/Actor"
import { ApiKeys } from "@runhook/core/keys/ApiKeys"
import { Executions } from "@runhook/core/executions/Executions"
import { createExecution } from "@runhook/http/executions/CreateFromWire"
import { inHostTransaction } from "@runhook/store-pg/HostTransaction"
import * as Effect from "effect/Effect"
import type { Pool } from "pg"
import type { Engine } from "./Engine.ts"
import type { Member } from "./Members.ts"

export interface NewOrder {
  readonly id: string
  readonly product: string
  readonly callbackUrl: string
}

export class Orders {
  readonly #pool: Pool
  readonly #engine: Engine

  constructor({ engine, pool }: { readonly engine: Engine; readonly pool: Pool }) {
    this.#pool = pool
    this.#engine = engine
  }

  /** Stores an order and queues its execution, whose id it answers. Rejects when the database refuses either. */
  async place(member: Member, order: NewOrder): Promise<string> {
    const client = await this.#pool.connect()
    try {
      await client.query("BEGIN")
      await client.query("INSERT INTO orders (id, email, product) VALUES ($1, $2, $3)", [
        order.id,
        member.email,
        order.product
      ])
      // Last, since other creates of the account wait until the commit.
      const { execution } = await this.#engine.runPromise(
        queue(member, order).pipe(Effect.provideService(CurrentActor, theService), inHostTransaction(client))
      )
      await client.query("COMMIT")
      return execution.id
    } catch (error) {
      await client.query("ROLLBACK")
      throw error
    } finally {
      client.release()
    }
  }
}

const queue = Effect.fnUntraced(function* (member: Member, order: NewOrder) {
  const { accountId, agentId, apiKeyId, taskId } = member
  return yield* (yield* Executions).create({
    caller: yield* (yield* ApiKeys).get({ accountId, id: apiKeyId }),
    request: createExecution({
      agent_id: agentId,
      task_id: taskId,
      params: { order_id: order.id },
      reference: order.id,
      callback_url: order.callbackUrl
    }),
    idempotencyKey: order.id,
    requestId: `order-${order.id}`
  })
})
