/** Executions of tasks that do their own work. */
import type { JsonObject } from "../wire/Integration.ts"
import { enter, find, started } from "./Runs.ts"
import type { KnownExecution, KnownTask, World } from "./World.ts"

/** Runs what was queued, when its task says how. The answer to its caller goes first. */
export const runNow = (
  world: World,
  { execution, task: { given } }: { readonly execution: KnownExecution; readonly task: KnownTask }
): void => {
  const { run } = given
  const { id, fields } = execution
  if (run === undefined || fields.status !== "queued") return
  const work = async () => {
    // Somebody may have stopped it by now.
    if (find(world, id).fields.status !== "queued") return
    started(world, id)
    const result = await run(fields.params)
    if (find(world, id).fields.status === "running") complete(world, id, result)
  }
  void Promise.resolve()
    .then(work)
    .catch((cause: unknown) => {
      const message = cause instanceof Error ? cause.message : String(cause)
      if (find(world, id).fields.status === "running") fail(world, id, message)
    })
}

export const complete = (world: World, id: string, result: JsonObject | null): void => {
  enter(world, started(world, id), { status: "completed", result })
}

export const fail = (world: World, id: string, message: string): void => {
  enter(world, started(world, id), { status: "error", error_message: message })
}
