/** A test's view of its service. These types use only those of the SDK, so that they need no others. */
import type { JsonObject, Runhook, WebhookEvent } from "@runhook/sdk"
import type { FakeFile, FakeTask, Question } from "./FakeTask.ts"
import type { Refusal } from "./Refusals.ts"

/** Receives callbacks, such as the SDK's `webhookHandler`; for real receivers, pass `fetch`. */
export type Receive = (request: Request) => Response | Promise<Response>

export interface FakeOptions<Slug extends string, Name extends string> {
  /** The tasks that may be queued, by slug. */
  readonly tasks: { readonly [S in Slug]: FakeTask }
  /** The names of the agents. */
  readonly agents: ReadonlyArray<Name>
  /** The base URL of the service; `http://runhook.test` unless given. */
  readonly baseUrl?: string | undefined
  /** Receives callbacks as they fall due, with the service's own retries. Unless given, they wait in `callbacks()`. */
  readonly receive?: Receive | undefined
  /** The time at which the clock stands still until `advance`. Unless given, it runs normally. */
  readonly now?: Date | undefined
  /** Allowed callback targets besides public ones, in the form of RUNHOOK_CALLBACK_ALLOW; this machine unless given. */
  readonly callbackAllow?: string | undefined
}

/** A request that was made. */
export interface FakeRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  /** The body of JSON; undefined when there was none. */
  readonly body: unknown
}

/** A callback of the service. */
export interface FakeCallback {
  readonly url: string
  readonly event: WebhookEvent
  /** Delivers it, signed now, to a receiver such as that of `webhookHandler`. May be called again, as the service repeats deliveries. */
  readonly deliverTo: (receive: Receive) => Promise<Response>
}

/** A service of one account and key. Nothing leaves the process, and nothing keeps it alive. */
export interface FakeRunhook<
  Slug extends string = string,
  Name extends string = string
> extends AsyncDisposable {
  /** Pass it to any client as its `fetch`, also to runners and to the admin client. */
  readonly fetch: typeof globalThis.fetch
  readonly baseUrl: string
  /** The integration key. */
  readonly apiKey: string
  /** The runner key: `createRunner({ baseUrl, apiKey: runnerKey, fetch, tasks })`. */
  readonly runnerKey: string
  /** The operator's key: `new RunhookAdmin({ baseUrl, adminKey, fetch })`. */
  readonly adminKey: string
  readonly accountId: string
  /** The secret that signs callbacks. */
  readonly signingSecret: string
  /** A client of this service. */
  readonly client: Runhook
  /** Ids of the tasks, by slug. */
  readonly taskIds: { readonly [S in Slug]: string }
  /** Ids of the agents, by name. */
  readonly agentIds: { readonly [N in Name]: string }
  /** Every request so far. */
  readonly requests: ReadonlyArray<FakeRequest>

  /** Starts the work of a queued execution. */
  readonly start: (id: string) => void
  /** Completes the work, after starting it if necessary. */
  readonly complete: (id: string, result?: JsonObject | null) => void
  /** Fails the work, after starting it if necessary. It is retried as its task says. */
  readonly fail: (id: string, message: string) => void
  /** Makes the work ask for input; resolves to the question's id. */
  readonly ask: (id: string, question: Question) => string
  /** Cancels the execution as an operator; callers use `executions.cancel`. */
  readonly cancel: (id: string, reason?: string) => void
  /** Captures a file of the run; resolves to its id. */
  readonly capture: (id: string, file: FakeFile) => string

  /** Every callback so far, oldest first. */
  readonly callbacks: () => ReadonlyArray<FakeCallback>
  /** Resolves when no callback to `receive` is due, and no work of tasks with their own `run`. */
  readonly settled: () => Promise<void>
  /** Refuses the next request with a valid key; called again, the one after. */
  readonly refuseNext: (refusal: Refusal) => void
  /** Advances the service's time: whatever expires, ends, and so do waits. */
  readonly advance: (milliseconds: number) => void
  /** Ends the service. It need not be called: an unused service is garbage-collected. */
  readonly close: () => Promise<void>
}
