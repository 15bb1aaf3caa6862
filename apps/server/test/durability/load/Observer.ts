/** Looks at executions, alone and in lists, and downloads their files. */
import { createHash } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { isWhole } from "../Extent.ts"
import { isTerminal, type Requested } from "../history/History.ts"
import { type Answer, type Body, brokenOff, patience } from "./Calls.ts"
import type { World } from "./World.ts"

/** Milliseconds between two looks; fewer in a run of all tests, which share the machine. */
const betweenLooks = isWhole ? 100 : 300

/** So many of the latest executions are looked at. */
const latest = 40

const executions = "/integrations/executions"

export const observe = async (world: World, isOver: () => boolean): Promise<void> => {
  const { acknowledged, chance } = world
  while (!isOver()) {
    await pause(betweenLooks)
    const recent = acknowledged.slice(-latest)
    const id = recent[chance.between(0, recent.length - 1)]
    if (id === undefined) continue
    if (chance.between(1, 10) === 1) await seeList(world)
    else if (chance.between(1, 4) === 1) await seeOne(world, id, 1)
    else await seeOne(world, id, 0)
    const settled = acknowledged.at(-latest)
    if (settled !== undefined && chance.between(1, 5) === 1) await download(world, settled)
  }
}

const noteOf = ({ recorder }: World, executionId: string, seen: Body, { at, sentAt }: Answer): void => {
  const { attempt, status } = seen
  const result = JSON.stringify(seen.result)
  recorder.note({ is: "sighting", executionId, status, attempt, result, sentAt, at })
}

/** Waits for its end for some seconds, or not at all. */
const seeOne = async (world: World, id: string, seconds: number): Promise<void> => {
  const path = seconds === 0 ? `${executions}/${id}` : `${executions}/${id}?wait=${seconds}`
  const answer = await world.calls.once({ key: world.tenant.apiKey, path, wait: seconds * 1_000 })
  if (answer?.status === 200) noteOf(world, id, answer.body, answer)
}

const seeList = async (world: World): Promise<void> => {
  const answer = await world.calls.once({ key: world.tenant.apiKey, path: `${executions}?limit=50` })
  if (answer?.status !== 200) return
  for (const seen of answer.body.data) noteOf(world, seen.id, seen, answer)
}

/** Downloads the files of an execution that has ended. */
export const download = async (world: World, executionId: string): Promise<void> => {
  const { calls, recorder, tenant } = world
  const { body, status } = await calls.insist({ key: tenant.apiKey, path: `${executions}/${executionId}` })
  if (status !== 200 || !isTerminal(body.status)) return
  for (const { id: fileId } of body.downloads) {
    const bytes = await bytesOf(world, `${executions}/${executionId}/files/${fileId}`)
    if (bytes === undefined) continue
    const sha256 = createHash("sha256").update(bytes).digest("hex")
    recorder.note({ is: "fetched", executionId, fileId, sha256 })
  }
}

/** A download that fails is written down, and tried again by the next look. */
const bytesOf = async ({ calls, recorder, tenant }: World, path: string): Promise<Uint8Array | undefined> => {
  const life = calls.service.url()
  if (life === undefined) return undefined
  const sentAt = recorder.now()
  const note = (how: Pick<Requested, "error" | "outcome" | "retryAfter">) =>
    recorder.note({ is: "requested", call: `GET ${path}`, life, sentAt, at: recorder.now(), wait: 0, ...how })
  try {
    const response = await fetch(`${life}/api/v1${path}`, {
      headers: { authorization: `Bearer ${tenant.apiKey}` },
      signal: AbortSignal.timeout(patience)
    })
    const { headers, ok, status } = response
    if (ok) return new Uint8Array(await response.arrayBuffer())
    note({ outcome: status, error: await response.text(), retryAfter: headers.get("retry-after") })
  } catch (error) {
    note(brokenOff(error))
  }
  return undefined
}
