/** A runner inside the service. It takes the work that a test names, reports what the test says, and never dies. */
import { createHash } from "node:crypto"
import type { ArtifactKind } from "@runhook/core/artifacts/Artifact"
import { ExecutionId } from "@runhook/core/shared/Ids"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import type { RunnerKeyRecord } from "@runhook/core/keys/RunnerKeyRecord"
import type { Outcome } from "@runhook/core/runs/EndMoves"
import { claim, isLeaseLive } from "@runhook/core/runs/LeaseMoves"
import type { Run } from "@runhook/core/runs/Run"
import { HostedFiles } from "@runhook/core/artifacts/HostedFiles"
import { RunStore } from "@runhook/core/runs/RunStore"
import { Artifacts } from "@runhook/core/artifacts/Artifacts"
import { Runs } from "@runhook/core/runs/Runs"
import type { JsonObject } from "@runhook/sdk"
import { MemoryDatabase } from "@runhook/store-memory/MemoryDatabase"
import { claimable, roomsOf } from "@runhook/store-memory/runs/ClaimRuns"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { FakeFile, FileKind, Question } from "./FakeTask.ts"

/** Its leases outlast every test, even when time is advanced. */
const lease = Duration.days(36_500)

const introduction = {
  agentIds: null,
  capacity: 10_000,
  instanceId: "built-in",
  labels: {},
  runnerName: "Built-in",
  version: null
}

const kinds: { readonly [Kind in FileKind]: ArtifactKind } = {
  downloads: "download",
  prints: "print",
  screenshots: "screenshot"
}

export const make = Effect.fnUntraced(function* (key: RunnerKeyRecord) {
  const artifacts = yield* Artifacts
  const files = yield* HostedFiles
  const runs = yield* Runs
  const store = yield* RunStore
  const tables = yield* MemoryDatabase

  let { session } = yield* runs.open(key, introduction)

  /** Its session, seen now. An expired one is opened again. */
  const present = Effect.gen(function* () {
    const beat = { session, isDraining: null, inFlight: [], lease, at: yield* DateTime.now }
    const heard = yield* store.beat(beat).pipe(Effect.catch(() => runs.open(key, introduction)))
    session = heard.session
    return session
  })

  /** The runs that may start now, in the order in which runners get them. */
  const due = Effect.gen(function* () {
    const rooms = roomsOf(tables, yield* present)
    const at = yield* DateTime.now
    return claimable(tables, { rooms, limit: Infinity, bytesMax: Infinity, at })
  })

  const find = (text: string) =>
    Effect.suspend(() => {
      const run = tables.runs.get(ExecutionId.make(text.toLowerCase()))
      return run === undefined ? Effect.die(new Error(`There is no execution ${text}`)) : Effect.succeed(run)
    })

  const begin = Effect.fnUntraced(function* ({ execution: { id } }: Run, epoch: number) {
    const { run } = yield* runs.start({ key, id, epoch })
    yield* store.beat({
      session: yield* present,
      isDraining: null,
      inFlight: [{ executionId: id, epoch }],
      lease,
      at: yield* DateTime.now
    })
    return run
  })

  /** Claims a due run, and starts it. */
  const take = Effect.fnUntraced(function* (run: Run) {
    const taken = claim(run, {
      sessionId: (yield* present).id,
      claimId: run.execution.id,
      startDeadline: lease,
      at: yield* DateTime.now
    }).run
    tables.runs.put(taken)
    return yield* begin(taken, taken.execution.epoch)
  })

  /** The running run: started now, unless a runner has already started it. */
  const started = Effect.fnUntraced(function* (id: string) {
    const run = yield* find(id)
    const { epoch, status } = run.execution
    if (status === "running" || status === "awaiting_input") return run
    if (status === "queued" && isLeaseLive(run, yield* DateTime.now)) return yield* begin(run, epoch)
    if (!(yield* due).includes(run)) return yield* Effect.die(new Error(whyNot(run, yield* DateTime.now)))
    return yield* take(run)
  })

  const finish = Effect.fnUntraced(function* (id: string, outcome: Outcome) {
    const { execution } = yield* started(id)
    yield* runs.finish({ key, id: execution.id, epoch: execution.epoch, outcome })
  })

  return {
    due,
    take,
    started,

    /** Sends a heartbeat. */
    beat: Effect.asVoid(present),

    isRunning: (id: ExecutionId) => tables.runs.get(id)?.execution.status === "running",

    complete: (id: string, result: JsonObject | null) =>
      finish(id, { _tag: "Completed", result: result === null ? null : StoredJson.of({ ...result }) }),

    fail: (id: string, message: string) => finish(id, { _tag: "Failed", message, isRetryable: true }),

    ask: Effect.fnUntraced(function* (
      id: string,
      { expiresInSeconds = 3_600, key: name = "input", prompt, schema = {} }: Question
    ) {
      const { execution } = yield* started(id)
      if (execution.status === "awaiting_input") {
        return yield* Effect.die(new Error(`Execution ${id} awaits an answer already`))
      }
      const { input } = yield* runs.ask({
        key,
        id: execution.id,
        epoch: execution.epoch,
        question: {
          key: name,
          prompt,
          schema: { ...schema },
          mode: "hold",
          onTimeout: "error",
          defaultValue: null,
          expiresIn: Duration.seconds(expiresInSeconds)
        }
      })
      return input.id
    }),

    capture: Effect.fnUntraced(function* (
      text: string,
      { content, content_type = "application/octet-stream", file_name, kind = "downloads" }: FakeFile
    ) {
      // A run may be over: files are accepted for a while after its end.
      const found = yield* find(text)
      const { epoch, id } = (found.attemptEpoch === null ? yield* started(text) : found).execution
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
      const { artifact, upload } = yield* artifacts.register({
        key,
        id,
        epoch,
        capture: {
          kind: kinds[kind],
          fileName: file_name,
          contentType: content_type,
          sizeBytes: bytes.length,
          sha256: createHash("sha256").update(bytes).digest("hex"),
          handler: null,
          platformId: null,
          startedOffsetMs: null
        }
      })
      const grant = new URL(upload.url).searchParams.get("grant") ?? ""
      yield* files.receive({ grant, bytes: Stream.make(Uint8Array.from(bytes)) })
      yield* artifacts.complete({ key, id, epoch, artifactId: artifact.id })
      return artifact.id
    })
  }
})

export type BuiltInRunner = Effect.Success<ReturnType<typeof make>>

const whyNot = ({ dueAt, execution: { id, status } }: Run, at: DateTime.Utc): string => {
  if (status !== "queued") return `Execution ${id} cannot run: it is ${status}`
  return DateTime.isGreaterThan(dueAt, at)
    ? `Execution ${id} cannot run before ${DateTime.formatIso(dueAt)}: advance the time`
    : `Execution ${id} cannot run: its agent is paused, or has as many as it may`
}
