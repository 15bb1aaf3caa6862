import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { eventOnEntering } from "../../src/deliveries/WebhookEventType.ts"
import { canTransition, isTerminal } from "../../src/executions/ExecutionStatus.ts"
import { InputId } from "../../src/shared/Ids.ts"
import { StoredJson } from "../../src/shared/json/StoredJson.ts"
import { expire, finish, stop, timeOut } from "../../src/runs/EndMoves.ts"
import { answer, ask, expireInput } from "../../src/runs/InputMoves.ts"
import { InputMode, InputTimeout } from "../../src/runs/InputRequest.ts"
import { beat, claim, giveBack, isClaimable, leave, loseLease, start } from "../../src/runs/LeaseMoves.ts"
import { accepted, type Change, release, type Run, unchanged } from "../../src/runs/Run.ts"
import { execution, minute, question, second, sessionId } from "./RunFixtures.ts"

/** One of the values, each as often as it is named. */
const oneOf = <const Value>(first: Value, ...others: ReadonlyArray<Value>): Arbitrary.Arbitrary<Value> =>
  Arbitrary.map(
    Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: others.length }))),
    (place) => [first, ...others][place] ?? first
  )

const anotherQuestion = InputId.make("01900000-0000-7000-8000-ffffffffffff")

/** What may happen next. What ends a run is rare, so that walks go far. */
const move = oneOf(
  ...(["claim", "start", "claim", "start", "claim", "start", "claim", "start"] as const),
  ...(["release", "release", "give back", "leave", "time out", "expire"] as const),
  ...(["lose lease", "expire input", "stop", "complete", "give up", "fail", "beat"] as const),
  ...(["answer", "ask", "answer", "ask", "answer", "ask", "start", "claim"] as const)
)

/** One step of a walk. Many are refused where the run is, and that is half of the point. */
const step = Arbitrary.all({
  move,
  /** Seconds that pass before it. */
  wait: oneOf(1, 1, 1, 1, 1, 5, 5, 70),
  /** How far the runner's epoch lies behind. */
  lag: oneOf(0, 0, 0, 0, 1),
  mode: Arbitrary.schema(InputMode),
  onTimeout: Arbitrary.schema(InputTimeout),
  isRetryable: Arbitrary.schema(Schema.Boolean)
})
type Step = typeof step extends Arbitrary.Arbitrary<infer A> ? A : never

const apply = (
  run: Run,
  next: Step,
  { at, number }: { readonly at: DateTime.Utc; readonly number: number }
): Change => {
  const epoch = run.execution.epoch - next.lag
  const write = { epoch, at, lease: minute, delay: Duration.seconds(5), fingerprint: `finish ${number}` }
  const orUnchanged = <E>(result: Result.Result<Change, E>): Change =>
    Result.getOrElse(result, () => unchanged(run))
  switch (next.move) {
    case "release":
      return release(run, at)
    case "claim":
      return isClaimable(run, at)
        ? claim(run, { sessionId, claimId: `claim ${number}`, at, startDeadline: minute })
        : unchanged(run)
    case "start":
      return orUnchanged(start(run, write))
    case "beat":
      return unchanged({ ...run, lease: beat(run, { ...write, sessionId }) })
    case "give back":
      return orUnchanged(giveBack(run, write))
    case "leave":
      return leave(run, at)
    case "complete":
      return orUnchanged(
        finish(run, { ...write, outcome: { _tag: "Completed", result: StoredJson.of({ number }) } })
      )
    case "fail":
      return orUnchanged(
        finish(run, {
          ...write,
          outcome: { _tag: "Failed", message: "failed", isRetryable: next.isRetryable }
        })
      )
    case "give up":
      return orUnchanged(finish(run, { ...write, outcome: { _tag: "Cancelled", reason: "given up" } }))
    case "ask": {
      const id = InputId.make(`01900000-0000-7000-8000-${String(number).padStart(12, "0")}`)
      const { mode, onTimeout } = next
      const input = question({
        id,
        key: `${number % 3}`,
        mode,
        onTimeout,
        askedAt: at,
        expiresAt: DateTime.addDuration(at, minute)
      })
      return orUnchanged(Result.map(ask(run, { ...write, input }), ({ change }) => change))
    }
    case "answer": {
      const input = run.inputs.at(-1)
      return input === undefined
        ? unchanged(run)
        : orUnchanged(answer(run, { inputId: input.id, value: number, at }))
    }
    case "stop":
      return stop(run, { to: next.isRetryable ? "aborted" : "cancelled", reason: null, at })
    case "lose lease":
      return loseLease(run, at)
    case "time out":
      return timeOut(run, at)
    case "expire":
      return expire(run, at)
    case "expire input":
      return expireInput(run, at)
  }
}

/** What holds for every run, however it came about. */
const assertPossible = ({
  attemptEpoch,
  deadlineAt,
  execution: { attempt, epoch, ...is },
  inputs,
  lease
}: Run) => {
  assert.strictEqual(isTerminal(is.status), is.stoppedAt !== null, "stopped exactly when finished")
  if (is.status !== "completed") assert.isNull(is.result)
  assert.strictEqual(
    is.status === "error",
    is.errorMessage !== null,
    "an error message exactly after an error"
  )
  if (is.statusReason !== null) assert.include(["aborted", "cancelled"], is.status)
  if (lease !== null) {
    assert.include(["queued", "running", "awaiting_input"], is.status)
    assert.deepStrictEqual([lease.epoch, attemptEpoch], [epoch, epoch], "the lease is of the current epoch")
  }
  if (is.status === "running") assert.isNotNull(lease, "somebody runs it")
  if (deadlineAt !== null) assert.include(["running", "awaiting_input"], is.status)
  assert.strictEqual(
    is.status === "awaiting_input",
    is.inputRequest !== null,
    "a question exactly while awaiting input"
  )
  if (is.inputRequest !== null) assert.deepStrictEqual(is.inputRequest, inputs.at(-1))
  assert.isAtMost(attempt, epoch, "each start has an epoch of its own")
}

/** Whoever answered was told that it counts: work that asks the same again is given the answer. */
const assertAnswersKept = (run: Run) => {
  const { epoch, status } = run.execution
  if (status !== "running") return
  const answered = run.inputs.filter((input) => input.answeredAt !== null)
  for (const { key, value } of new Map(answered.map((input) => [input.key, input])).values()) {
    const at = run.execution.updatedAt
    const input = question({ id: anotherQuestion, key, askedAt: at })
    const asked = Result.getOrThrow(ask(run, { epoch, at, input }))
    assert.isFalse(asked.change.changed)
    assert.deepInclude(asked.input, { key, value })
  }
}

/** What holds for every change. */
const assertAllowed = (before: Run, { changed, releasedFrom, run }: Change) => {
  const [from, to] = [before.execution.status, run.execution.status]
  if (from !== to) assert.isTrue(canTransition(from, to), `${from} to ${to}`)
  if (!changed) assert.deepStrictEqual({ ...run, lease: null }, { ...before, lease: null })
  assert.isAtLeast(run.execution.epoch, before.execution.epoch)
  assert.isAtLeast(run.execution.attempt, before.execution.attempt)
  assert.strictEqual(releasedFrom !== null, before.lease !== null && run.lease === null)
  if (isTerminal(from)) assert.isFalse(changed)
}

describe("A run", () => {
  it.prop(
    "never reaches an impossible state, whatever happens to it",
    {
      steps: Arbitrary.array(step, { minLength: 20, maxLength: 100 }),
      isHeld: Schema.Boolean,
      maxAttempts: Schema.Literals([1, 3]),
      timeoutSeconds: Schema.NullOr(Schema.Literal(60)),
      expiresAfter: Schema.NullOr(Schema.Literal(100))
    },
    ({ expiresAfter, isHeld, maxAttempts, steps, timeoutSeconds }) => {
      const status = isHeld ? "pending" : "queued"
      const expiresAt = expiresAfter === null ? null : second(expiresAfter)
      const first = accepted(execution({ status, maxAttempts, timeoutSeconds, expiresAt }))
      assert.strictEqual(first.event, eventOnEntering(status))
      const entered = new Set([first.event])
      let { run } = first
      let elapsed = 0
      for (const [number, next] of steps.entries()) {
        elapsed += next.wait
        const change = apply(run, next, { at: second(elapsed), number })
        assertAllowed(run, change)
        assertPossible(change.run)
        assertAnswersKept(change.run)
        run = change.run
        const type = eventOnEntering(run.execution.status)
        assert.strictEqual(
          change.event,
          entered.has(type) ? null : type,
          "each event once, at the first time"
        )
        entered.add(type)
      }
    },
    { arbitrary: { runs: 1_000 } }
  )
})
