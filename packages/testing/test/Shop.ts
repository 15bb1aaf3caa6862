/** A service for the tests, with a press that prints. */
import { createFakeRunhook, type FakeOptions } from "../src/Testing.ts"

export const minute = 60_000

export const paramsSchema = {
  type: "object",
  required: ["copies"],
  additionalProperties: false,
  properties: {
    copies: { type: "integer", multipleOf: 2, default: 2 },
    by: { type: "string", format: "date" }
  }
} as const

/** Time stands still in it, unless told otherwise. */
export const openShop = (options: Partial<FakeOptions<"print", "Press">> = {}) =>
  createFakeRunhook({
    tasks: { print: { maxAttempts: 2, resultSchema: { type: "object", required: ["pages"] } } },
    agents: ["Press"],
    now: new Date("2030-01-01T00:00:00Z"),
    ...options
  })

export type Shop = ReturnType<typeof openShop>

/** What an order queues. */
export const print = ({ agentIds, taskIds }: Shop) => ({ agent_id: agentIds.Press, task_id: taskIds.print })

/** What a call was refused with. */
export const refusalOf = (call: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(call).then(
    () => Promise.reject(new Error("It was not refused")),
    (error: unknown) => error
  )
