/** What a test holds of its service. These types name nothing but those of the SDK, so that they stand by themselves. */
import type { JsonObject, Runhook, WebhookEvent } from "@runhook/sdk"
import type { FakeFile, FakeTask, Question } from "./FakeTask.ts"
import type { Refusal } from "./Refusals.ts"

/** Takes callbacks, such as what `webhookHandler` of the SDK makes; to dial real receivers it is `fetch`. */
export type Receive = (request: Request) => Response | Promise<Response>

export interface FakeOptions<Slug extends string, Name extends string> {
  /** The tasks that may be queued, by slug. */
  readonly tasks: { readonly [S in Slug]: FakeTask }
  /** The names of the agents. */
  readonly agents: ReadonlyArray<Name>
  /** Where the service seems to be; `http://runhook.test` unless given. */
  readonly baseUrl?: string | undefined
  /** Takes callbacks as they fall due, with the service's own retries. Unless given, they wait in `callbacks()`. */
  readonly receive?: Receive | undefined
  /** Where time stands still until `advance` moves it on. Unless given, it runs as everywhere. */
  readonly now?: Date | undefined
  /** Targets of callbacks beside public ones, in the form of RUNHOOK_CALLBACK_ALLOW; those of this machine unless given. */
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
  /** Give it to any client as its `fetch`; to runners and to the client for operators as well. */
  readonly fetch: typeof globalThis.fetch
  readonly baseUrl: string
  /** What the integration API is called with. */
  readonly apiKey: string
  /** What runners call with: `createRunner({ baseUrl, apiKey: runnerKey, fetch, tasks })`. */
  readonly runnerKey: string
  /** What operators call with: `new RunhookAdmin({ baseUrl, adminKey, fetch })`. */
  readonly adminKey: string
  readonly accountId: string
  /** What callbacks are signed with. */
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
  /** Completes the work, started first when it was not. */
  readonly complete: (id: string, result?: JsonObject | null) => void
  /** Fails the work, started first when it was not. It is tried again as often as its task says. */
  readonly fail: (id: string, message: string) => void
  /** Has the work ask for input, and gives the question's id. */
  readonly ask: (id: string, question: Question) => string
  /** Ends the execution as an operator does; callers end theirs by `executions.cancel`. */
  readonly cancel: (id: string, reason?: string) => void
  /** Captures a file of the run, and gives its id. */
  readonly capture: (id: string, file: FakeFile) => string

  /** Every callback so far, oldest first. */
  readonly callbacks: () => ReadonlyArray<FakeCallback>
  /** Resolves when no callback is due to `receive`, and no work of tasks that do their own. */
  readonly settled: () => Promise<void>
  /** Refuses the next request with a valid key; called again, the one after. */
  readonly refuseNext: (refusal: Refusal) => void
  /** Moves the service's time on: what has run out of time ends, and so do waits. */
  readonly advance: (milliseconds: number) => void
  /** Ends the service. It need not be called: what nobody uses any more is forgotten. */
  readonly close: () => Promise<void>
}
