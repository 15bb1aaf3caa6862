/** A language model's program: the protocol's own client, with the key of a tenant and a runner that works for it. */
import { Client, type RequestOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { Host } from "../Service.ts"
import { makeSession, type Tenant } from "../Tenant.ts"

export interface Asked {
  readonly message: string
  readonly requestedSchema: unknown
}

export interface Person {
  /** What a person enters, or nothing. */
  readonly enters: (asked: Asked) => Record<string, string | number | boolean | Array<string>> | undefined
}

type Fetch = typeof globalThis.fetch

/** How a client connects: with a handshake or without, for a person who fills in forms or for nobody. */
export interface Connecting {
  readonly person?: Person
  readonly isStateless?: boolean
  readonly key?: string
  readonly path?: string
  /** Another process, which gets every second request. */
  readonly other?: Host["Service"]
  /** Sees each request first. */
  readonly through?: (send: Fetch) => Fetch
}

export const connected = Effect.fnUntraced(function* (
  tenant: Tenant,
  {
    isStateless = false,
    key = tenant.key.key,
    other,
    path = "/mcp",
    person,
    through = (send) => send
  }: Connecting = {}
) {
  const host = yield* Host
  const context = yield* Effect.context()
  let sent = 0
  const send: Fetch = (input, init) => {
    const { pathname, search } = new URL(String(input))
    const process = sent++ % 2 === 0 ? host : (other ?? host)
    const answer = process(pathname + search, {
      ...init,
      headers: Object.fromEntries(new Headers(init?.headers))
    })
    return Effect.runPromiseWith(context)(Effect.map(answer, (given) => until(given, init?.signal)))
  }
  const client = new Client(
    { name: "a-model", version: "1.0.0" },
    {
      capabilities: person === undefined ? {} : { elicitation: {} },
      ...(isStateless ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {})
    }
  )
  if (person !== undefined) {
    client.setRequestHandler("elicitation/create", ({ params }) => {
      const content = person.enters({
        message: params.message,
        requestedSchema: "requestedSchema" in params ? params.requestedSchema : null
      })
      return content === undefined ? { action: "decline" } : { action: "accept", content }
    })
  }
  const transport = new StreamableHTTPClientTransport(new URL(`http://localhost${path}`), {
    fetch: through(send),
    requestInit: { headers: { authorization: `Bearer ${key}` } }
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => client.connect(transport)),
    () => Effect.promise(() => client.close())
  )
  return client
})

/** An answer that ends when its caller leaves, as over a network. */
const until = (given: Response, signal: AbortSignal | null | undefined): Response =>
  signal && given.body
    ? new Response(given.body.pipeThrough(new TransformStream(), { signal }), given)
    : given

/** A runner that takes work as it comes. */
export const makeRunner = Effect.fnUntraced(function* (tenant: Tenant) {
  const { session_id } = yield* makeSession(tenant)
  const { runner } = tenant.runner
  let claims = 0
  return {
    runner,
    /** Claims the next execution, once there is one, and starts it. */
    next: Effect.gen(function* () {
      const claimed = runner.claim({
        payload: { session_id, claim_id: `claim-${++claims}`, free_slots: 1, wait_ms: 0 }
      })
      const [claim] = (yield* claimed.pipe(
        Effect.repeat({
          schedule: Schedule.spaced("5 millis"),
          until: ({ claims: found }) => found.length > 0
        })
      )).claims
      if (claim === undefined) return yield* Effect.die("there was nothing to claim")
      const held = { params: { id: claim.execution_id }, payload: { epoch: claim.epoch } }
      yield* runner.start(held)
      return { claim, held, session_id }
    })
  }
})

/** A call of a tool. */
export const call = (
  client: Client,
  name: string,
  given: Record<string, unknown> = {},
  options: RequestOptions = {}
) => Effect.promise(() => client.callTool({ name, arguments: given }, options))

/** A call that fails. */
export const refused = (client: Client, name: string, options: RequestOptions = {}) =>
  Effect.map(Effect.flip(Effect.tryPromise(() => client.callTool({ name }, options))), ({ cause }) =>
    String(cause)
  )

type Result = Effect.Success<ReturnType<typeof call>>

export const idIn = ({ _meta }: Result) => String(_meta?.["runhook/execution_id"])

export const textIn = ({ content: [first] }: Result): string => (first?.type === "text" ? first.text : "")

export const often = Schedule.spaced("5 millis")

export const eventually = <A, E, R>(look: Effect.Effect<A, E, R>, isSo: (seen: A) => boolean) =>
  Effect.repeat(look, { schedule: often, until: isSo })
