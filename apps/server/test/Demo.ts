/** What the banner tells of the demo account, and what is done with it. */
import { ExecutionStatus, isTerminal } from "@runhook/core/executions/ExecutionStatus"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { bodyOf, eventually, request } from "./Http.ts"

export const Created = Schema.Struct({ execution_id: Schema.String, status: Schema.String })

const Files = Schema.Array(
  Schema.Struct({
    file_name: Schema.String,
    content_type: Schema.String,
    size_bytes: Schema.Int,
    url: Schema.String
  })
)

export const Detail = Schema.Struct({
  status: ExecutionStatus,
  result: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)),
  error_message: Schema.NullOr(Schema.String),
  downloads: Files,
  prints: Files
})

const Items = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      number: Schema.Int,
      verified: Schema.Boolean,
      problem: Schema.NullOr(Schema.String),
      body: Schema.Unknown
    })
  )
})

const Deliveries = Schema.Struct({ data: Schema.Array(Schema.Unknown) })

const EventBody = Schema.Struct({
  type: Schema.String,
  execution: Schema.Struct({ id: Schema.String })
})
const isEvent = Schema.is(EventBody)

/** The request of the banner, as bash would make it. */
export const demoOf = ({ banner, baseUrl }: { readonly banner: string; readonly baseUrl: string }) => {
  const key = /Demo key +(\S+)/.exec(banner)?.[1] ?? ""
  const body: unknown = JSON.parse(/-d '([^']*)'/.exec(banner)?.[1] ?? "null")
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const executions = `${baseUrl}/api/v1/integrations/executions`

  const create = (more: object = {}, moreHeaders: Readonly<Record<string, string>> = {}) =>
    request(executions, {
      method: "POST",
      headers: { ...headers, ...moreHeaders },
      body: JSON.stringify(Object.assign({}, body, more))
    }).pipe(Effect.flatMap(bodyOf(Created)))

  const finished = (id: string) =>
    eventually(
      request(`${executions}/${id}?wait=10`, { headers }).pipe(Effect.flatMap(bodyOf(Detail))),
      ({ status }) => isTerminal(status)
    )

  const inbox = request(`${baseUrl}/demo/inbox/events`).pipe(
    Effect.flatMap(bodyOf(Items)),
    Effect.map(({ data }) => data)
  )

  /** The events of an execution in the inbox, once there are this many. */
  const callbacks = (id: string, count: number) =>
    eventually(
      Effect.map(inbox, (items) =>
        items.filter(({ body: event }) => isEvent(event) && event.execution.id === id)
      ),
      (items) => items.length >= count
    )

  const deliveries = (id: string, status: "delivered" | "pending") =>
    request(`${baseUrl}/api/v1/integrations/webhooks/deliveries?execution_id=${id}&status=${status}`, {
      headers
    }).pipe(
      Effect.flatMap(bodyOf(Deliveries)),
      Effect.map(({ data }) => data)
    )

  /** Ends when no callback of an execution is on its way any more: the service knows that all have come. */
  const settled = (id: string) => eventually(deliveries(id, "pending"), (data) => data.length === 0)
  const delivered = (id: string) => deliveries(id, "delivered")

  const welcome = request(`${baseUrl}/`).pipe(
    Effect.flatMap((answer) => Effect.promise(() => answer.text())),
    Effect.map((html) => html.replaceAll(/\s+/g, " "))
  )

  return { callbacks, create, delivered, executions, finished, headers, inbox, key, settled, welcome }
}

/** The types of the events, in order. */
export const typesOf = (items: ReadonlyArray<{ readonly body: unknown }>) =>
  items.map(({ body }) => (isEvent(body) ? body.type : "not an event"))
