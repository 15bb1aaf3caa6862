/** A shop: queues an execution for each order, and learns of its end by signed callbacks. */
import type { FileArtifact, Runhook } from "@runhook/sdk"
import { webhookHandler } from "@runhook/sdk/webhooks"
import { type Context, Hono } from "hono"
import { Orders } from "./Orders.ts"

export interface ShopOptions {
  readonly runhook: Runhook
  /** Who works on orders, and what is to be done. */
  readonly agentId: string
  readonly taskId: string
  /** The signing secret of the key, or both during a rotation. */
  readonly signingSecrets: ReadonlyArray<string>
  /** Where the service reaches `POST /callbacks` of this shop. */
  readonly callbackUrl: string
}

interface NewOrder {
  readonly id: string
  readonly page: string
}

export const makeShop = ({ agentId, callbackUrl, runhook, signingSecrets, taskId }: ShopOptions) => {
  const orders = new Orders()

  const receive = webhookHandler({
    secrets: signingSecrets,
    dedupe: orders,
    onEvent: (event) => orders.follow(event),
    onError: (error) =>
      console.error("A callback was not handled:", error instanceof Error ? error.message : error)
  })

  /** The order's id is the idempotency key: an order that is sent twice is worked on once. */
  const queue = ({ id, page }: NewOrder) =>
    runhook.executions.create(
      { agent_id: agentId, task_id: taskId, params: { url: page }, reference: id, callback_url: callbackUrl },
      { idempotencyKey: id }
    )

  const filesOf = async (orderId: string): Promise<ReadonlyArray<FileArtifact>> => {
    const executionId = orders.get(orderId)?.executionId
    if (executionId === undefined) return []
    const { downloads, prints, screenshots } = await runhook.executions.get(executionId)
    return [...downloads, ...prints, ...screenshots]
  }

  return (
    new Hono()
      // At once: the callbacks tell the rest. With ?wait, when the work is over.
      .post("/orders", async (c) => {
        const order: NewOrder = await c.req.json()
        const { execution_id } = await queue(order)
        orders.accept(order.id, execution_id)
        if (c.req.query("wait") === undefined) return c.json(orders.get(order.id), 202)
        const { result, status } = await runhook.executions.waitFor(execution_id)
        return c.json({ id: order.id, executionId: execution_id, status, result }, 200)
      })
      .get("/orders/:id", (c) => {
        const order = orders.get(c.req.param("id"))
        return order === undefined ? notFound(c) : c.json(order)
      })
      .get("/orders/:id/files", async (c) =>
        c.json((await filesOf(c.req.param("id"))).map(({ id, file_name }) => ({ id, file_name })))
      )
      // The browser never sees the key: the shop passes the bytes on.
      .get("/orders/:id/files/:file", async (c) => {
        const file = (await filesOf(c.req.param("id"))).find(({ id }) => id === c.req.param("file"))
        if (file === undefined) return notFound(c)
        const { body } = await runhook.files.download(file)
        return new Response(body, { headers: { "content-type": file.content_type } })
      })
      // The handler reads the raw body itself, before any parser.
      .post("/callbacks", (c) => receive(c.req.raw))
  )
}

const notFound = (c: Context) => c.json({ error: "Not found" }, 404)
