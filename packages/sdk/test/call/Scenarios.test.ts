/** Every scenario, with the client for TypeScript and, where there is a Python or a Go, with those for them. */
import type { Receiver } from "@runhook/test-support/receivers/Receiver"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { RunhookError } from "../../src/Runhook.ts"
import { compileTimeout, go, type GoProcess, startGo } from "../go/Go.ts"
import type { CallAnswer } from "../CallProcess.ts"
import { python, type PythonMode, type PythonProcess, startPython } from "../python/Python.ts"
import { apiKey, failureOf, meeting } from "./Meeting.ts"
import { startServer } from "./RawServer.ts"
import { batches } from "./scenarios/Batches.ts"
import { refusals } from "./scenarios/Refusals.ts"
import { retries } from "./scenarios/Retries.ts"
import { retryAfters } from "./scenarios/RetryAfter.ts"
import type { Ending, Scenario } from "./scenarios/Scenario.ts"
import { waits } from "./scenarios/Waits.ts"

const scenarios = [...retries, ...retryAfters, ...refusals, ...waits, ...batches]

let ofPython: PythonProcess | undefined
let ofGo: GoProcess | undefined
beforeAll(async () => {
  ofPython = python === undefined ? undefined : startPython(python)
  const expressions = scenarios.map((scenario) => callAndPart(scenario.go).call)
  ofGo = go === undefined ? undefined : await startGo(go, expressions)
}, compileTimeout)
afterAll(async () => {
  await ofPython?.[Symbol.asyncDispose]()
  await ofGo?.[Symbol.asyncDispose]()
})

/** A path with its parameters in the order of their names, since each client has one of its own. */
const sorted = (path: string): string => {
  const [before, query] = path.split("?")
  return query === undefined ? path : `${before}?${query.split("&").toSorted().join("&")}`
}

/** What the server saw. */
const seenBy = ({ received }: Pick<Receiver, "received">): Ending => {
  const keys = new Set(received.flatMap(({ headers }) => headers["idempotency-key"] ?? []))
  for (const { headers } of received) assert.strictEqual(headers.authorization, `Bearer ${apiKey}`)
  return {
    requests: received.length,
    keys: keys.size,
    paths: received.map(({ path = "" }) => sorted(path.replace("/api/v1/integrations", "")))
  }
}

const inTypeScript = async ({ answers, call, limits }: Scenario): Promise<Ending> => {
  const { client, clock, server } = await meeting(answers, limits)
  await using _ = server
  const end = { value: undefined as unknown }
  const error = await failureOf(call(client).then((value) => void (end.value = value)))
  if (error !== undefined) assert.instanceOf(error, RunhookError)
  const ended = error === undefined ? end : { ...error, error: error.name, message: error.message }
  return { ...ended, ...seenBy(server), pauses: clock.pauses }
}

const seconds = (milliseconds: number | undefined) =>
  milliseconds === undefined ? undefined : milliseconds / 1_000

const milliseconds = (amount: unknown) => (typeof amount === "number" ? amount * 1_000 : null)

/** The end as TypeScript names its parts. */
const endOf = ({ error, pauses, value }: CallAnswer): Ending => {
  const shared = { pauses: pauses.map((pause) => Math.round(pause * 1_000)) }
  if (error === undefined) return { value, ...shared }
  const { class: name, execution_id, request_id, retry_after, ...rest } = error
  return {
    ...rest,
    ...shared,
    error: name,
    executionId: execution_id as string | null,
    requestId: request_id as string | null,
    retryAfterMs: milliseconds(retry_after)
  }
}

/** A call that a process makes, by an expression of its language. */
type CallBy = (call: string, options: object) => Promise<CallAnswer> | undefined

const inProcess =
  (language: "python" | "go", callBy: CallBy) =>
  async ({ answers, limits = {}, ...expressions }: Scenario): Promise<Ending> => {
    const server = await startServer(...answers)
    await using _ = server
    const { call, of } = callAndPart(expressions[language])
    const answer = await callBy(call, {
      base_url: server.url,
      api_key: apiKey,
      retries: limits.retries,
      attempt_timeout: seconds(limits.attemptTimeoutMs),
      timeout: seconds(limits.timeoutMs)
    })
    if (answer === undefined) throw new Error(`There is no process of ${language}`)
    return { ...endOf({ ...answer, value: of(answer.value) }), ...seenBy(server) }
  }

/** Behind the call stands what of its answer is compared. */
const callAndPart = (expression: string) => {
  const [, call = "", part = "", each = ""] = /^(.*\))(?:\.(\w+))?(?:\[(\w+)\])?$/.exec(expression) ?? []
  const of = (value: unknown): unknown => {
    const seen = part ? Object(value)[part] : value
    return each && Array.isArray(seen) ? seen.map((item) => item[each]) : seen
  }
  return { call, of }
}

const inPython = (mode: PythonMode) =>
  inProcess("python", (call, options) => ofPython?.call({ mode, call, options, clock: true }))

const inGo = inProcess("go", (call, options) => ofGo?.call({ call, options, clock: true }))

const languages: ReadonlyArray<readonly [string, (scenario: Scenario) => Promise<Ending>]> = [
  ["TypeScript", inTypeScript],
  ...(python === undefined
    ? []
    : ([
        ["Python", inPython("sync")],
        ["Python with asyncio", inPython("async")]
      ] as const)),
  ...(go === undefined ? [] : ([["Go", inGo]] as const))
]

describe.each(languages)("a call in %s", (_, inLanguage) => {
  it.each(scenarios)("$title", async (scenario) => {
    const ended = await inLanguage(scenario)

    assert.deepInclude(ended, scenario.ends)
  })
})
