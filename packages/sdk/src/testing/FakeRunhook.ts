/** `@runhook/sdk/testing`: the service in memory, for the tests of programs that use it. */
import { Runhook } from "../Runhook.ts"
import { signTest } from "../webhooks/SignTest.ts"
import type { JsonObject, WebhookEvent } from "../wire/Integration.ts"
import type { Refusal } from "./Refused.ts"
import { answerTo } from "./Routes.ts"
import { ask, endOverdue, find, type Question, started, stop } from "./Runs.ts"
import { complete, fail } from "./Working.ts"
import { type FakeTask, type FileKind, type KnownTask, makeClock, tell, type World } from "./World.ts"

export type { Question } from "./Runs.ts"
export type { Refusal } from "./Refused.ts"
export type { FakeTask, FileKind } from "./World.ts"

export interface FakeOptions<Slug extends string, Name extends string> {
  /** The tasks that may be queued, by slug. */
  readonly tasks: { readonly [S in Slug]: FakeTask }
  /** The names of the agents. */
  readonly agents: ReadonlyArray<Name>
  /** Where the service seems to be; `http://runhook.test` unless given. */
  readonly baseUrl?: string
}

/** A request that was made. */
export interface FakeRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  /** The body of JSON; undefined when there was none. */
  readonly body: unknown
}

/** A file that a run captures. */
export interface FakeFile {
  readonly file_name: string
  readonly content: string | Uint8Array
  /** `application/octet-stream` unless given. */
  readonly content_type?: string
  /** `downloads` unless given. */
  readonly kind?: FileKind
}

/** A callback that the service would send. */
export interface FakeCallback {
  readonly url: string
  readonly event: WebhookEvent
  /** Delivers it, signed now, to a receiver such as that of `webhookHandler`. May be called again, as the service repeats deliveries. */
  readonly deliverTo: (receive: (request: Request) => Response | Promise<Response>) => Promise<Response>
}

/**
 * A service of one account and key. Its answers are those of the real one,
 * with the limits that the README names, and nothing leaves the process.
 */
export const createFakeRunhook = <const Slug extends string, const Name extends string>({
  agents,
  baseUrl = "http://runhook.test",
  tasks
}: FakeOptions<Slug, Name>) => {
  const apiKey = "rhlive_fake_key"
  const signingSecret = "whsec_ZmFrZS1mYWtlLWZha2UtZmFrZS1mYWtlLWZha2UtZmE="
  const clock = makeClock()
  const world: World = {
    apiRoot: `${baseUrl.replace(/\/+$/, "")}/api/v1/integrations`,
    accountId: clock.newId(),
    tasks: Object.entries<FakeTask>(tasks).map(([slug, given]) => knownTask(slug, given, clock)),
    agents: agents.map((name) => ({ id: clock.newId(), name, createdAt: clock.stamp() })),
    executions: new Map(),
    repeats: new Map(),
    sent: [],
    listeners: new Set(),
    clock
  }
  const requests: Array<FakeRequest> = []
  const refusals: Array<Refusal> = []

  /** Give it to any client as its `fetch`. */
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    request.signal.throwIfAborted()
    const { pathname, search } = new URL(request.url)
    const text = await request.clone().text()
    requests.push({ method: request.method, path: pathname + search, body: jsonOf(text) })
    const response = await answerTo(request, { world, apiKey, planned: () => refusals.shift() })
    request.signal.throwIfAborted()
    return response
  }

  return {
    fetch,
    baseUrl,
    apiKey,
    /** What callbacks are signed with. */
    signingSecret,
    /** A client of this service. */
    client: new Runhook({ baseUrl, apiKey, fetch }),
    /** Ids of the tasks, by slug. */
    taskIds: idsOf<Slug>(world.tasks.map(({ task }) => [task.slug, task.id])),
    /** Ids of the agents, by name. */
    agentIds: idsOf<Name>(world.agents.map(({ id, name }) => [name, id])),
    /** Every request so far. */
    requests,

    /** Starts the work of a queued execution. */
    start: (id: string): void => void started(world, id),
    /** Completes the work, started first when it was not. */
    complete: (id: string, result: JsonObject | null = null): void => complete(world, id, result),
    /** Fails the work, started first when it was not. */
    fail: (id: string, message: string): void => fail(world, id, message),
    /** Has the work ask for input, and gives the question's id. */
    ask: (id: string, question: Question): string => ask(world, id, question),
    /** Ends the execution as an operator does; callers end theirs by `executions.cancel`. */
    cancel: (id: string, reason?: string): void =>
      void stop(world, find(world, id), { status: "cancelled", reason: reason ?? null }),

    /** Captures a file of the run, and gives its id. */
    capture: (
      id: string,
      { content, content_type = "application/octet-stream", file_name, kind = "downloads" }: FakeFile
    ): string => {
      const execution = find(world, id)
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content)
      const fileId = clock.newId()
      const url = `${world.apiRoot}/executions/${execution.id}/files/${fileId}`
      const file = { id: fileId, file_name, content_type, size_bytes: bytes.length, url, kind, bytes }
      world.executions.set(execution.id, { ...execution, files: [...execution.files, file] })
      return fileId
    },

    /** Every callback so far, oldest first. */
    callbacks: (): ReadonlyArray<FakeCallback> =>
      world.sent.map(({ event, url }) => ({
        event,
        url,
        deliverTo: async (receive) => {
          const { body, headers } = await signTest(event, { secret: signingSecret })
          return receive(new Request(url, { method: "POST", headers, body }))
        }
      })),

    /** Refuses the next request with a valid key; called again, the one after. */
    refuseNext: (refusal: Refusal): void => void refusals.push(refusal),

    /** Moves the service's time on: what has run out of time ends, and so do waits. */
    advance: (milliseconds: number): void => {
      clock.advance(milliseconds)
      endOverdue(world)
      tell(world)
    }
  }
}

export type FakeRunhook = ReturnType<typeof createFakeRunhook>

const knownTask = (slug: string, given: FakeTask, clock: World["clock"]): KnownTask => {
  const at = clock.stamp()
  const versionId = clock.newId()
  const version = { id: versionId, number: 1, tags: [], published_at: at }
  const { description = "", enabled = true, name = slug } = given
  const task = {
    id: clock.newId(),
    slug,
    name,
    description,
    platforms: [],
    current_version: version,
    latest_version: version,
    tags: {},
    enabled,
    created_at: at,
    updated_at: at
  }
  return { given, versionId, task }
}

/** Ids by names that are known beforehand. */
const idsOf = <Name extends string>(entries: ReadonlyArray<readonly [string, string]>) => {
  const ids: { readonly [N in Name]: string } = JSON.parse(JSON.stringify(Object.fromEntries(entries)))
  return ids
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text === "" ? undefined : text
  }
}
