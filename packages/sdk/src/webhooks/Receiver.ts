/** A complete receiver of callbacks: verifies, handles each event once, and answers as the service expects. */
import type { WebhookEvent } from "../wire/Integration.ts"
import { type Secrets, SecretsError } from "./Secrets.ts"
import { verifyWebhook, type WebhookHeaders, WebhookRejectedError } from "./Verify.ts"

/** Remembers which events were handled, best in the receiver's own database. */
export interface Dedupe {
  /** `new` marks the event as being handled; `busy` when it is already, `done` when it was. */
  begin(eventId: string): DedupeState | Promise<DedupeState>
  /** The event was handled. */
  done(eventId: string): void | Promise<void>
  /** The event was not handled, and is new again. Also let marks of `begin` expire, in case the process dies. */
  forget(eventId: string): void | Promise<void>
}

export type DedupeState = "new" | "busy" | "done"

export interface ReceiverOptions {
  /** The signing secret of the key, or both during a rotation. */
  readonly secrets: Secrets
  /** Handles an event. Be quick: the service waits 12 seconds. What it rejects with is answered 500, and the service sends the event again. */
  readonly onEvent: (event: WebhookEvent) => Promise<void> | void
  /** Handles no event twice; without it a repeated delivery is handled again. */
  readonly dedupe?: Dedupe
  /** Called with the reason why a callback was refused or not handled. */
  readonly onError?: (error: unknown) => void
}

interface Incoming {
  readonly method: string | undefined
  readonly headers: WebhookHeaders
  /** Undefined when something else has read part of it. */
  readonly body: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | undefined
}

/** Longest body that is read. Events are far smaller. */
const bodyBytesMax = 2 ** 21

/** A receiver for servers that speak `fetch`: `(request) => response`. */
export const webhookHandler =
  (options: ReceiverOptions) =>
  async ({ body, bodyUsed, headers, method }: Request): Promise<Response> => {
    const isRead = bodyUsed || body?.locked
    const { status, text } = await answerTo(options, {
      method,
      headers,
      body: isRead ? undefined : (body ?? [])
    })
    return new Response(text, { status })
  }

/** A request of `node:http`, whose body nothing has read yet: mount it before any body parser. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined
  readonly headers: WebhookHeaders
  readonly readableDidRead?: boolean | undefined
}

/** A response of `node:http`. */
export interface NodeResponse {
  writeHead(status: number): { end(text?: string): unknown }
}

/** A receiver for `node:http` and frameworks built on it: `createServer(nodeWebhookHandler(options))`. */
export const nodeWebhookHandler =
  (options: ReceiverOptions) =>
  async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    const { headers, method, readableDidRead } = request
    const body = readableDidRead ? undefined : request
    const { status, text } = await answerTo(options, { method, headers, body })
    response.writeHead(status).end(text)
  }

interface Answer {
  readonly status: number
  readonly text?: string
}

const answerTo = async (options: ReceiverOptions, incoming: Incoming): Promise<Answer> => {
  try {
    return { status: await statusFor(options, incoming) }
  } catch (error) {
    options.onError?.(error)
    // The failed delivery then shows what the receiver has to change.
    if (error instanceof SecretsError) return { status: 500, text: error.message }
    if (!(error instanceof WebhookRejectedError)) return { status: 500 }
    return error.reason === "body_already_read" ? { status: 500, text: error.message } : { status: 401 }
  }
}

const statusFor = async (options: ReceiverOptions, { body, headers, method }: Incoming): Promise<number> => {
  if (method !== "POST") return 405
  if (body === undefined) throw new WebhookRejectedError("body_already_read")
  const bytes = await gather(body)
  if (bytes === undefined) return 413
  return handleOnce(options, await verifyWebhook({ body: bytes, headers, secrets: options.secrets }))
}

const handleOnce = async ({ dedupe, onEvent }: ReceiverOptions, event: WebhookEvent): Promise<number> => {
  const state = await dedupe?.begin(event.event_id)
  // After a 200 it would not be sent again, even if the first handling failed.
  if (state === "busy") return 503
  if (state === "done") return 200
  try {
    await onEvent(event)
  } catch (error) {
    await dedupe?.forget(event.event_id)
    throw error
  }
  await dedupe?.done(event.event_id)
  return 200
}

/** The whole body, or undefined when it is too long. */
const gather = async (chunks: NonNullable<Incoming["body"]>): Promise<ArrayBuffer | undefined> => {
  const parts: Array<Uint8Array<ArrayBuffer>> = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > bodyBytesMax) return undefined
    parts.push(new Uint8Array(chunk))
  }
  return new Blob(parts).arrayBuffer()
}
