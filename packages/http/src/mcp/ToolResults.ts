/** What the call of a tool answers. */
import type { Artifact } from "@runhook/core/artifacts/Artifact"
import type { Execution } from "@runhook/core/executions/Execution"
import { isTerminal } from "@runhook/core/executions/ExecutionStatus"
import type { JsonObject } from "@runhook/core/shared/json/Json"
import type { Progress } from "@runhook/core/runs/Progress"
import { filesOf } from "../executions/ExecutionToWire.ts"

/** A refusal, which a model reads and may do better. */
export const failedWith = (text: string): JsonObject => ({ content: [textOf(text)], isError: true })

const textOf = (text: string) => ({ type: "text", text })

const metaOf = ({ id, status }: Execution) => ({
  _meta: { "runhook/execution_id": id, "runhook/status": status }
})

/** The links open with the caller's key. */
const linksTo = (artifacts: ReadonlyArray<Artifact>, baseUrl: string): ReadonlyArray<JsonObject> => {
  const { downloads, prints, screenshots } = filesOf(artifacts, baseUrl)
  return [...downloads, ...prints, ...screenshots].map((file) => ({
    type: "resource_link",
    uri: file.url,
    name: file.file_name,
    mimeType: file.content_type,
    size: file.size_bytes
  }))
}

/** Of work that is over. */
export const finished = (
  execution: Execution,
  { artifacts, baseUrl }: { readonly artifacts: ReadonlyArray<Artifact>; readonly baseUrl: string }
): JsonObject => {
  const { errorMessage, result, status, statusReason } = execution
  const links = linksTo(artifacts, baseUrl)
  if (status !== "completed") {
    const reason = errorMessage ?? statusReason
    const text = `The execution ended as ${status}${reason === null ? "" : `: ${reason}`}`
    return { content: [textOf(text), ...links], isError: true, ...metaOf(execution) }
  }
  return {
    content: [textOf(result?.text ?? "null"), ...links],
    ...(result === null ? {} : { structuredContent: result.value }),
    ...metaOf(execution)
  }
}

/**
 * Of work that goes on. A tool that promises a result must give one or fail, so this
 * counts as a failure there.
 */
export const unfinished = (
  execution: Execution,
  { hasPromised, progress }: { readonly hasPromised: boolean; readonly progress: Progress | null }
): JsonObject => {
  const { id, inputRequest, status } = execution
  const text =
    inputRequest !== null && status === "awaiting_input"
      ? `Execution ${id} asks: ${inputRequest.prompt}\nCall answer_execution with a value that is valid by this schema: ${JSON.stringify(inputRequest.schema)}`
      : `Execution ${id} is ${status}${saidOf(progress)}. It is still unfinished: call get_execution with this execution_id to wait for its result.`
  return { content: [textOf(text)], ...(hasPromised ? { isError: true } : {}), ...metaOf(execution) }
}

const saidOf = (progress: Progress | null): string => {
  if (progress === null) return ""
  const { message, percent, step } = progress
  const said = [percent === null ? null : `${percent} %`, message, step].filter((each) => each !== null)
  return said.length === 0 ? "" : ` (${said.join(", ")})`
}

/** The result of a call that stopped an execution, or came too late. */
export const stopped = (execution: Execution, isNow: boolean): JsonObject => ({
  content: [textOf(`The execution ${isNow ? "is" : "had already ended as"} ${execution.status}`)],
  ...metaOf(execution)
})

export const isFinished = ({ status }: Execution): boolean => isTerminal(status)
