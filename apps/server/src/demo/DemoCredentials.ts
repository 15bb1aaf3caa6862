/**
 * The credentials of the demo account. Kept in the data directory, so that the next
 * start finds the same account.
 */
import { AgentId, TaskId } from "@runhook/core/shared/Ids"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { StartupProblems } from "../process/StartupProblems.ts"
import * as OwnerFile from "../settings/OwnerFile.ts"

export interface DemoCredentials {
  readonly agentId: AgentId
  readonly taskId: TaskId
  readonly key: Redacted.Redacted
  readonly signingSecret: Redacted.Redacted
  readonly runnerKey: Redacted.Redacted
}

const DemoFile = Schema.fromJsonString(
  Schema.Struct({
    agent_id: AgentId,
    task_id: TaskId,
    key: Schema.String,
    signing_secret: Schema.String,
    runner_key: Schema.String
  })
)

const fileIn = (dataDir: string): OwnerFile.OwnerFile => ({ dataDir, name: "demo.json" })

/** The credentials of an earlier start, if it left a readable file. */
export const find = Effect.fn("DemoCredentials.find")(function* (dataDir: string) {
  const path = yield* OwnerFile.pathOf(fileIn(dataDir))
  const content = yield* Effect.mapError(
    OwnerFile.read(fileIn(dataDir)),
    (reason) => new StartupProblems({ problems: [`${path} cannot be read: ${reason}`] })
  )
  return Option.map(
    Option.flatMap(content, Schema.decodeUnknownOption(DemoFile)),
    (kept): DemoCredentials => ({
      agentId: kept.agent_id,
      taskId: kept.task_id,
      key: Redacted.make(kept.key),
      signingSecret: Redacted.make(kept.signing_secret),
      runnerKey: Redacted.make(kept.runner_key)
    })
  )
})

/** Replaces the credentials of an earlier start. */
export const keep = (dataDir: string, made: DemoCredentials) =>
  OwnerFile.replace(fileIn(dataDir), {
    agent_id: made.agentId,
    task_id: made.taskId,
    key: Redacted.value(made.key),
    signing_secret: Redacted.value(made.signingSecret),
    runner_key: Redacted.value(made.runnerKey)
  })
