/** Executions as callers see and move them. */
import { systemClock } from "../call/Clock.ts"
import { isFinished } from "../requests/Finished.ts"
import { checkValue } from "./ParamsSchema.ts"
import { notFound } from "./Refused.ts"
import { answerBody, cancelBody, executionQuery, getQuery, historyQuery, noQuery } from "./RequestRules.ts"
import { type Asked, bodyOf, checkQuery, pageOf, type Route } from "./Route.ts"
import { answer as answerInput, enter, find, stop } from "./Runs.ts"
import { findTask } from "./Creating.ts"
import type { FileKind, KnownExecution, KnownFile, World } from "./World.ts"
import { runNow } from "./Working.ts"

const found = ({ params, world }: Asked): KnownExecution => find(world, params["id"] ?? "")

export const list: Route = ({ query, world }) => {
  checkQuery(query, executionQuery, ["status"])
  const equals = (name: "agent_id" | "reference" | "task_id") => (execution: KnownExecution) => {
    const wanted = query.get(name)
    return wanted === null || execution.fields[name] === wanted
  }
  const statuses = query.getAll("status")
  const from = query.get("from")
  const to = query.get("to")
  const matches = [...world.executions.values()].filter(
    (execution) =>
      equals("agent_id")(execution) &&
      equals("task_id")(execution) &&
      equals("reference")(execution) &&
      (statuses.length === 0 || statuses.includes(execution.fields.status)) &&
      (from === null || new Date(execution.fields.created_at) >= new Date(from)) &&
      (to === null || new Date(execution.fields.created_at) <= new Date(to))
  )
  return {
    body: pageOf(
      matches.map(({ fields, id }) => ({ id, ...fields })),
      query
    )
  }
}

export const get: Route = async (asked) => {
  const { query, world } = asked
  checkQuery(query, getQuery)
  const { id } = found(asked)
  await until(asked, ({ fields }) => isFinished(fields) || fields.status === "awaiting_input")
  const execution = find(world, id)
  return { body: { execution_id: id, ...execution.fields, ...filesOf(world, execution) } }
}

export const events: Route = async (asked) => {
  checkQuery(asked.query, historyQuery)
  const after = Number(asked.query.get("after") ?? 0)
  const limit = Number(asked.query.get("limit") ?? 50)
  const { id } = found(asked)
  await until(asked, ({ fields, history }) => isFinished(fields) || history.length > after)
  return { body: { data: find(asked.world, id).history.slice(after, after + limit) } }
}

/** Waits until it is so, or for as long as was asked for: in real time, or in time that a test moves on. */
const until = (asked: Asked, isSo: (execution: KnownExecution) => boolean): Promise<void> =>
  new Promise((resolve) => {
    const { query, signal, world } = asked
    const waitMs = Number(query.get("wait") ?? 0) * 1_000
    const endsAt = world.clock.now().getTime() + waitMs
    const look = () => {
      if (isSo(found(asked)) || signal.aborted || world.clock.now().getTime() >= endsAt) end()
    }
    const end = () => {
      cancel()
      signal.removeEventListener("abort", look)
      world.listeners.delete(look)
      resolve()
    }
    const cancel = systemClock.after(waitMs, end)
    signal.addEventListener("abort", look)
    world.listeners.add(look)
    look()
  })

export const cancel: Route = (asked) => {
  checkQuery(asked.query, noQuery)
  const reason = asked.text === "" ? undefined : bodyOf(asked, cancelBody)["reason"]
  const execution = found(asked)
  const stopped = stop(asked.world, execution, {
    status: "aborted",
    reason: typeof reason === "string" ? reason : null
  })
  const repeat = stopped === execution ? { already_finished: true } : {}
  return { body: { execution_id: stopped.id, status: stopped.fields.status, ...repeat } }
}

export const release: Route = (asked) => {
  checkQuery(asked.query, noQuery)
  const { world } = asked
  const held = found(asked)
  if (held.fields.status !== "pending") return { body: { execution_id: held.id, status: held.fields.status } }
  const execution = enter(world, held, { status: "queued" })
  runNow(world, { execution, task: findTask(world, execution.fields.task_id) })
  return { body: { execution_id: execution.id, status: execution.fields.status } }
}

export const artifacts: Route = (asked) => {
  checkQuery(asked.query, noQuery)
  const execution = found(asked)
  const { started_at, status, stopped_at } = execution.fields
  return {
    body: {
      execution_id: execution.id,
      status,
      started_at,
      stopped_at,
      videos: [],
      ...filesOf(asked.world, execution)
    }
  }
}

const filesOf = ({ apiRoot }: World, { files, id }: KnownExecution) => {
  const shown = (wanted: FileKind) =>
    files
      .filter(({ kind }) => kind === wanted)
      .map(({ content_type, file_name, id: fileId, size_bytes }) => ({
        id: fileId,
        file_name,
        content_type,
        size_bytes,
        url: `${apiRoot}/executions/${id}/files/${fileId}`
      }))
  return { downloads: shown("downloads"), prints: shown("prints"), screenshots: shown("screenshots") }
}

/** Where files are kept: the path below the base URL, which opens without a key. */
export const storagePath = "/storage/"

export const file: Route = (asked) => {
  checkQuery(asked.query, noQuery)
  const { id } = fileOf(found(asked), asked.params["fileId"])
  const location = new URL(storagePath + id, asked.world.apiRoot).href
  return new Response(null, { status: 302, headers: { location } })
}

const fileOf = ({ files }: KnownExecution, id: string | undefined): KnownFile => {
  const known = files.find((each) => each.id === id)
  if (known === undefined) throw notFound()
  return known
}

export const inputs: Route = (asked) => {
  checkQuery(asked.query, noQuery)
  return { body: { data: found(asked).inputs } }
}

export const answer: Route = (asked) => {
  checkQuery(asked.query, noQuery)
  const value = JSON.parse(JSON.stringify(bodyOf(asked, answerBody)["value"]))
  const execution = found(asked)
  const input = execution.inputs.find(({ input_id }) => input_id === asked.params["inputId"])
  if (input === undefined) throw notFound()
  checkValue(input.schema, value)
  const { fields, id } = answerInput(asked.world, execution, { input, value })
  return { body: { execution_id: id, input_id: input.input_id, status: fields.status } }
}
