/** Runners by the SDK for Python, which are killed now and then, and what they say and are told. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { python } from "@runhook/test-support/Python"
import { startProxy } from "@runhook/test-support/receivers/Proxy"
import type { Written } from "../history/History.ts"
import type { Body } from "./Calls.ts"
import type { World } from "./World.ts"

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Whether this machine has a Python that the SDK runs on. */
export const hasPython = python !== undefined

const runners = 2
/** How often each is killed. Later lives last until all is over. */
const kills = 3

/** Works until told to stop. */
export const runPython = async (world: World, isOver: () => boolean): Promise<void> => {
  await using tap = await openTap(world)
  await Promise.all(
    Array.from({ length: runners }, (_, number) => lives(world, `${tap.url}`, `worker-${number}`, isOver))
  )
}

/** One runner through many lives, all under one name. */
const lives = async (
  { chance, tenant }: World,
  url: string,
  name: string,
  isOver: () => boolean
): Promise<void> => {
  for (let life = 1; !isOver(); life++) {
    const program = spawn(python ?? "", [fileOf("worker.py")], {
      env: {
        PATH: process.env["PATH"],
        PYTHONPATH: fileOf("../../../../../packages/sdk-python/src"),
        PYTHONDONTWRITEBYTECODE: "1",
        RUNHOOK_BASE_URL: url,
        RUNHOOK_RUNNER_KEY: tenant.runnerKey,
        WORKER: name
      },
      stdio: "ignore"
    })
    const exited = once(program, "exit")
    const endsAt = life > kills ? Infinity : performance.now() + chance.between(1_000, 4_000)
    while (!isOver() && performance.now() < endsAt && program.exitCode === null) await pause(50)
    program.kill(isOver() ? "SIGTERM" : "SIGKILL")
    await exited
  }
}

/** A way to the service, wherever it is, on which all is written down that passes. */
const openTap = (world: World) => {
  const { calls, recorder } = world
  const digests = new Map<string, string>()
  return startProxy(calls.service.url, async ({ body, path }, send) => {
    const sentAt = recorder.now()
    const answer = await send()
    const { status, told } = answer
    const passed = { path, said: bodyOf(body), told: bodyOf(told), ok: status < 300, status, sentAt }
    note(world, digests, { ...passed, at: recorder.now() })
    return answer
  })
}

const bodyOf = (said: string): Body => (said === "" ? {} : JSON.parse(said))

interface Passed {
  readonly path: string
  readonly said: Body
  readonly told: Body
  readonly ok: boolean
  readonly status: number
  readonly sentAt: number
  readonly at: number
}

const verbs: { readonly [path: string]: Written["verb"] } = {
  start: "start",
  complete: "complete",
  inputs: "ask",
  release: "release",
  artifacts: "store"
}

const note = ({ recorder }: World, digests: Map<string, string>, passed: Passed): void => {
  const { at, ok, path, said, sentAt, status, told } = passed
  const written = (of: Body, verb: Written["verb"], accepted: boolean, ended?: string) => {
    const { epoch, execution_id: executionId, outcome, result = null } = of
    // What is tried again has not ended.
    const isEnd = verb === "complete" && accepted && ended === outcome
    const end = isEnd ? { outcome: { status: outcome, result: JSON.stringify(result) } } : {}
    recorder.note({ is: "written", executionId, epoch, verb, accepted, ...end, sentAt, at })
  }
  const given = [...(told.claims ?? []), ...(told.recover ?? [])]
  for (const { epoch, execution_id: executionId } of given)
    recorder.note({ is: "claimed", executionId, epoch, at })
  for (const claim of told.claims ?? []) if (claim.status !== "queued") written(claim, "start", true)
  for (const [place, outcome] of (ok ? (said.outcomes ?? []) : []).entries()) {
    const { accepted, http_status = 200, status: ended } = told.outcomes[place]
    if (!isForNow(http_status)) written(outcome, "complete", accepted, ended)
  }
  const [, execution_id, call = "", artifact = ""] =
    /executions\/([^/]+)\/(\w+)(?:\/([^/]+))?/.exec(path) ?? []
  const verb = verbs[call]
  if (verb === undefined || isForNow(status)) return
  written({ ...said, execution_id }, verb, ok, told.status)
  if (call !== "artifacts" || !ok) return
  if (artifact === "") digests.set(told.artifact_id, said.sha256)
  else
    recorder.note({
      is: "stored",
      executionId: execution_id ?? "",
      fileId: artifact,
      sha256: digests.get(artifact) ?? ""
    })
}

/** The same may be accepted another time. */
const isForNow = (status: number): boolean => status === 429 || status >= 500
