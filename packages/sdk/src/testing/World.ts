/** What the fake knows: one account with its tasks, agents and executions. */
import type {
  ExecutionFields,
  ExecutionHistoryEvent,
  FileArtifact,
  InputRequest,
  JsonObject,
  KnownExecutionEventType,
  KnownExecutionStatus,
  Task,
  WebhookEvent
} from "../wire/Integration.ts"

/** A task that tests may queue. It has one version, of the number 1. */
export interface FakeTask {
  /** The task's name; its slug unless given. */
  readonly name?: string
  readonly description?: string
  /** The schema of its params; anything that is an object unless given. */
  readonly paramsSchema?: JsonObject
  readonly resultSchema?: JsonObject
  readonly timeoutSeconds?: number
  /** Whether it takes executions; it does unless given. */
  readonly enabled?: boolean
  /** Does the work as soon as it is queued, and gives the result; what it throws fails the execution. Without it, tests say how runs end. */
  readonly run?: (params: JsonObject) => JsonObject | null | Promise<JsonObject | null>
}

/** A task with what the service knows of it. */
export interface KnownTask {
  readonly task: Task
  readonly versionId: string
  readonly given: FakeTask
}

export interface KnownAgent {
  readonly id: string
  readonly name: string
  readonly createdAt: string
}

export type FileKind = "downloads" | "prints" | "screenshots"

export interface KnownFile extends FileArtifact {
  readonly kind: FileKind
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** An execution with what no answer shows of it. */
export interface KnownExecution {
  readonly id: string
  readonly fields: ExecutionFields & { readonly status: KnownExecutionStatus }
  readonly requestId: string
  readonly callbackUrl: string | null
  readonly callbackEvents: ReadonlyArray<KnownExecutionEventType> | null
  /** Event types that have occurred: none occurs twice. */
  readonly announced: ReadonlyArray<string>
  readonly expiresAt: string | null
  readonly timeoutSeconds: number | null
  readonly inputs: ReadonlyArray<InputRequest>
  readonly files: ReadonlyArray<KnownFile>
  readonly history: ReadonlyArray<ExecutionHistoryEvent>
}

/** An event on its way to a receiver. */
export interface Sent {
  readonly url: string
  readonly event: WebhookEvent
}

export interface World {
  readonly apiRoot: string
  readonly accountId: string
  readonly tasks: ReadonlyArray<KnownTask>
  readonly agents: ReadonlyArray<KnownAgent>
  readonly executions: Map<string, KnownExecution>
  /** What each idempotency key was used for. */
  readonly repeats: Map<string, { readonly fingerprint: string; readonly id: string }>
  readonly sent: Array<Sent>
  /** Called after every change and whenever time was moved on. */
  readonly listeners: Set<() => void>
  readonly clock: WorldClock
}

export interface WorldClock {
  now(): Date
  /** The present moment as the service writes it. */
  stamp(): string
  /** A UUIDv7. Each is greater than those before. */
  newId(): string
  advance(milliseconds: number): void
}

export const makeClock = (): WorldClock => {
  let aheadMs = 0
  let last = 0
  const now = () => new Date(new Date().getTime() + aheadMs)
  return {
    now,
    stamp: () => now().toISOString(),
    newId: () => {
      // Milliseconds, and 12 bits that tell the ids of one millisecond apart.
      last = Math.max(now().getTime() * 4_096, last + 1)
      const time = Math.floor(last / 4_096)
        .toString(16)
        .padStart(12, "0")
      const turn = (last % 4_096).toString(16).padStart(3, "0")
      return `${time.slice(0, 8)}-${time.slice(8)}-7${turn}-8${crypto.randomUUID().slice(20)}`
    },
    advance: (milliseconds) => {
      aheadMs += milliseconds
    }
  }
}

/** Tells everybody who waits that something may have changed. */
export const tell = ({ listeners }: World): void => {
  for (const listener of listeners) listener()
}
