/** The service of the story, with an account that has all it takes, and what a caller sees of it. */
import { randomUUID } from "node:crypto"
import { type FileLink, Runhook } from "@runhook/sdk"
import { verifyWebhook, type WebhookEvent } from "@runhook/sdk/webhooks"
import { apiAt } from "@runhook/test-support/world/Api"
import { makeBy, makeTenant } from "@runhook/test-support/world/Tenant"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { runningServer, temporaryDirectory } from "../RunhookProcess.ts"
import { onDatabase, testPostgres } from "../TestPostgres.ts"

const paramsSchema = {
  type: "object",
  properties: { supplier: { type: "string" }, password: { type: "string", writeOnly: true } },
  required: ["supplier"]
}

const resultSchema = {
  type: "object",
  properties: { invoices: { type: "integer" } },
  required: ["invoices"]
}

/** A service on a database of its own, and an account whose task fetches invoices. */
export const makeService = Effect.fnUntraced(function* () {
  const database = yield* testPostgres
  const adminKey = randomUUID()
  const server = yield* runningServer({
    RUNHOOK_MODE: "development",
    RUNHOOK_DEMO: "off",
    RUNHOOK_LOG_LEVEL: "debug",
    RUNHOOK_DATA_DIR: yield* temporaryDirectory,
    RUNHOOK_DATABASE_URL: database.url,
    RUNHOOK_ADMIN_KEY: adminKey
  })
  const { baseUrl } = server
  return yield* Effect.promise(async () => {
    const api = apiAt(baseUrl)
    const { agentId, apiKey, runnerKey, taskId } = await makeTenant(makeBy(api, adminKey), {
      task: { slug: "fetch-invoices", name: "Fetch invoices", retry: { max_attempts: 3 } },
      version: { params_schema: paramsSchema, result_schema: resultSchema }
    })
    const runhook = new Runhook({ baseUrl, apiKey })
    return {
      baseUrl,
      json: api.json,
      apiKey,
      runnerKey,
      runhook,
      agent_id: agentId,
      task_id: taskId,
      log: server.log,
      /** The public keys that verify evidence. */
      keySet: async (): Promise<{ readonly keys: ReadonlyArray<object> }> =>
        JSON.parse(await (await fetch(`${baseUrl}/.well-known/runhook/jwks.json`)).text()),
      /** What a file has, as its caller fetches it. */
      bytesOf: async (file: FileLink | undefined) =>
        new Uint8Array(file === undefined ? [] : await (await runhook.files.download(file)).arrayBuffer()),
      rows: () => Effect.runPromise(everyRow(database.url))
    }
  })
})

export type Service = Effect.Success<ReturnType<typeof makeService>>

/** All that the database has, as PostgreSQL's text of each row. */
const everyRow = (url: string) =>
  onDatabase(
    url,
    SqlClient.use((sql) =>
      Effect.gen(function* () {
        const tables = yield* sql`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`
        const rows = yield* Effect.forEach(tables, ({ tablename }) =>
          sql.unsafe<{ readonly text: string }>(
            `SELECT whole::text AS text FROM ${String(tablename)} AS whole`
          )
        )
        return rows.flat().map(({ text }) => text)
      })
    )
  )

/** A poll endpoint, as a program behind a firewall reads it. */
export const makeInbox = async ({ runhook }: Service) => {
  const { id, signing_secret } = await runhook.webhooks.endpoints.create({ kind: "poll" })
  const messages = runhook.webhooks.endpoints.messages(id)
  const events: Array<WebhookEvent> = []
  const texts: Array<string> = []
  return {
    texts,
    typesOf: (execution: string) =>
      events.filter((event) => event.execution?.id === execution).map(({ type }) => type),
    /** Reads on, until it is told this of an execution, and gives the execution's id. */
    hears: async (type: string): Promise<string> => {
      for await (const { body, headers } of {
        [Symbol.asyncIterator]: () => ({ next: () => messages.next() })
      }) {
        const event = await verifyWebhook({ body, headers, secrets: signing_secret })
        events.push(event)
        texts.push(body, JSON.stringify(headers))
        if (event.type === type) return event.execution?.id ?? ""
      }
      throw new Error("The inbox ended")
    }
  }
}

/** The question of an execution, once its stream of Server-Sent Events says that it awaits input. */
export const hearsQuestion = async ({ apiKey, baseUrl, runhook }: Service, execution_id: string) => {
  const { body } = await fetch(`${baseUrl}/api/v1/integrations/executions/${execution_id}/events`, {
    headers: { authorization: `Bearer ${apiKey}`, accept: "text/event-stream" }
  })
  let text = ""
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece
    if (text.includes("event: input_requested\n")) break
  }
  const { input_request } = await runhook.executions.get(execution_id)
  return { execution_id, input_id: input_request?.input_id ?? "" }
}
