/** How scenarios make their calls, and keep what was answered. */
import { RunhookError, ApiError, type CreateExecution } from "../../src/Runhook.ts"
import type { Stage } from "./Stage.ts"

/** What a call answered, whether or not it was what it asked for. */
const answerOf = async (call: Promise<unknown>): Promise<unknown> => {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof RunhookError)) throw error
    const { message, name, retryAfterMs, status } = error
    return {
      name,
      status,
      message,
      retryAfterMs,
      ...(error instanceof ApiError ? { code: error.code, details: error.details } : {})
    }
  }
}

/** What the calls answered, made one after the other. */
export const answersOf = async (
  calls: ReadonlyArray<() => Promise<unknown>>
): Promise<ReadonlyArray<unknown>> => {
  const answers: Array<unknown> = []
  for (const call of calls) answers.push(await answerOf(call()))
  return answers
}

export const nobody = "00000000-0000-7000-8000-000000000000"

export const post = ({ client }: Stage, path: string, body: unknown) =>
  client.request({ method: "POST", path, body, repeatable: true })

export const look = ({ client }: Stage, path: string) => client.request({ method: "GET", path })

export const create = async ({ agent_id, client, task_id }: Stage, more: Partial<CreateExecution> = {}) =>
  (await client.executions.create({ agent_id, task_id, ...more })).execution_id
