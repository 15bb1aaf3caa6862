/** `runhook listen` in the demo's account of the shared server. */
import type { Environment } from "@runhook/test-support/world/ServiceProcess"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { eventually } from "./Http.ts"
import { run, SharedServer, startingServer } from "./RunhookProcess.ts"

export const decoded = <A>(schema: Schema.Codec<A, unknown>) =>
  Schema.decodeUnknownEffect(Schema.fromJsonString(schema))
const decodeKey = decoded(Schema.Struct({ key: Schema.String }))
const decodeQueued = decoded(Schema.Struct({ execution_id: Schema.String }))

export const inDemo = ["--account", "Demo"]

export const makeKey = Effect.map(
  Effect.flatMap(run("keys", "create", ...inDemo, "--name", "Ada's machine"), ({ stdout }) =>
    decodeKey(stdout)
  ),
  ({ key }) => key
)

/** Starts to listen, and waits until it does. */
export const listeningIn = Effect.fnUntraced(function* (
  environment: Environment,
  ...args: ReadonlyArray<string>
) {
  const { baseUrl, settings } = yield* SharedServer
  const started = yield* startingServer({ ...settings, RUNHOOK_BASE_URL: baseUrl, ...environment }, [
    "listen",
    ...args
  ])
  yield* eventually(
    Effect.sync(() => started.output.stdout),
    (text) => /signed with|"endpoint_id"/.test(text) && text.endsWith("\n")
  )
  return started
})

/** The same, with a new key. */
export const listening = (...args: ReadonlyArray<string>) =>
  Effect.flatMap(makeKey, (key) => listeningIn({ RUNHOOK_API_KEY: key }, ...args))

/** Queues the demo's task, and answers the id. */
export const execute = Effect.map(
  Effect.flatMap(
    run(
      "executions",
      "create",
      ...inDemo,
      "--key",
      "Demo key",
      "--agent",
      "demo-agent",
      "--task",
      "fetch-page"
    ),
    ({ stdout }) => decodeQueued(stdout)
  ),
  ({ execution_id }) => execution_id
)
