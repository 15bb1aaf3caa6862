/** Queues executions, each insisted on under a key of its own; repeats some, cancels some, answers what is asked. */
import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { isWhole } from "../Extent.ts"
import { isTerminal } from "../history/History.ts"
import { type Plan, planOf } from "./Plan.ts"
import type { World } from "./World.ts"

/** Milliseconds an integrator rests, so that the load is what a slow machine can work off, and leaves it to others in a run of all tests. */
const betweenCreates = isWhole ? 200 : 800

/** One in so many creates is repeated, repeated with another body, or cancelled. */
const oneIn = { repeated: 6, misused: 12, cancelled: 8 }

/** How often the answering caller looks for a question, some two seconds apart. */
const looksMax = 60

const executions = "/integrations/executions"

/** Goes on until told to stop, and ends when everything it began has an answer. */
export const integrate = async (world: World, isOver: () => boolean): Promise<void> => {
  const conversations: Array<Promise<void>> = []
  while (!isOver()) {
    const plan = planOf(world.chance)
    const created = await create(world, plan)
    conversations.push(converse(world, plan, created))
    await pause(betweenCreates)
  }
  await Promise.all(conversations)
}

interface Created {
  readonly id: string
  readonly repeat: (body: object) => Promise<number>
}

export const create = async (world: World, plan: Plan): Promise<Created> => {
  const { acknowledged, callbackUrl, calls, recorder, tenant } = world
  const reference = randomUUID()
  const body = {
    agent_id: tenant.agentId,
    task_id: tenant.taskId,
    reference,
    callback_url: callbackUrl,
    params: { plan }
  }
  const send = async (asked: object) => {
    const headers = { "idempotency-key": reference }
    const answer = await calls.insist({ key: tenant.apiKey, path: executions, headers, body: asked })
    if (answer.status < 300) {
      const { at, sentAt } = answer
      const made = { executionId: answer.body.execution_id, idempotencyKey: reference, reference }
      recorder.note({ is: "created", ...made, body: JSON.stringify(asked), sentAt, at })
    }
    return answer
  }
  const { body: made, status } = await send(body)
  if (status >= 300) throw new Error(`A create was answered ${status}: ${JSON.stringify(made)}`)
  acknowledged.push(made.execution_id)
  return { id: made.execution_id, repeat: async (change) => (await send({ ...body, ...change })).status }
}

const converse = async (world: World, plan: Plan, { id, repeat }: Created): Promise<void> => {
  const { chance } = world
  const happens = (rarity: number) => chance.between(1, rarity) === 1
  if (happens(oneIn.repeated)) await repeat({})
  if (happens(oneIn.misused)) await repeat({ priority: 1 })
  if (happens(oneIn.cancelled)) await cancel(world, id)
  if (plan === "ask" || plan === "wait") await answer(world, id)
}

const cancel = async ({ calls, recorder, tenant }: World, executionId: string): Promise<void> => {
  const path = `${executions}/${executionId}/cancel`
  const { at, body, sentAt, status } = await calls.insist({ key: tenant.apiKey, path, body: {} })
  if (status !== 200) throw new Error(`A cancel was answered ${status}: ${JSON.stringify(body)}`)
  recorder.note({ is: "cancelled", executionId, status: body.status, sentAt, at })
}

/** Waits until it is asked, and answers; an execution that ends before needs no answer. */
const answer = async ({ calls, recorder, tenant }: World, executionId: string): Promise<void> => {
  const { apiKey: key } = tenant
  const value = randomUUID()
  for (let looks = 0; looks < looksMax; looks++) {
    const path = `${executions}/${executionId}?wait=2`
    const { body: seen } = await calls.insist({ key, path, wait: 2_000 })
    if (isTerminal(seen.status)) return
    const input = seen.input_request?.input_id
    if (input === undefined) {
      await pause(betweenCreates)
      continue
    }
    const answered = await calls.insist({
      key,
      path: `${executions}/${executionId}/inputs/${input}`,
      body: { value }
    })
    if (answered.status === 200) recorder.note({ is: "answered", executionId, value, at: answered.at })
    return
  }
}
