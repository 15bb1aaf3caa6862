/** Finds a text in what executions were given and gave. The service has no index of it, so the page looks through what it lists. */
import type { AdminExecution, Page } from "@runhook/sdk/admin"
import type { FoundPage } from "../../data/MergeRows.ts"
import { cut } from "../../format/Hidden.ts"
import { now, pause } from "../../time/Clock.ts"

/** Where the text was found, and what stands around it. */
export interface Excerpt {
  readonly where: keyof Searched
  readonly before: string
  readonly found: string
  readonly after: string
}

/** Most characters on both sides. */
const beforeMax = 24
const afterMax = 40

/** The text in lower case, as it is and as it stands within a text of JSON. */
export const soughtOf = (text: string): ReadonlyArray<string> =>
  [text, JSON.stringify(text).slice(1, -1)].map((each) => each.toLowerCase())

type Searched = Pick<AdminExecution, "error_message" | "metadata" | "params" | "result">

export const excerptOf = (of: Searched, sought: ReadonlyArray<string>): Excerpt | undefined => {
  for (const where of ["params", "result", "error_message", "metadata"] as const) {
    const value = of[where]
    if (value === null) continue
    const text = typeof value === "string" ? value : JSON.stringify(value)
    const lower = text.toLowerCase()
    const found = sought.find((each) => lower.includes(each))
    if (found === undefined) continue
    const at = lower.indexOf(found)
    // A few letters are longer in lower case, so that those behind have another place.
    const shown = lower.length === text.length ? text : lower
    return {
      where,
      // Never half of a character.
      before: shown.slice(Math.max(0, at - beforeMax), at).replace(/^[\udc00-\udfff]/, ""),
      found: shown.slice(at, at + found.length),
      after: cut(shown.slice(at + found.length), afterMax)
    }
  }
  return undefined
}

/** Why the list that looks for a text shows an execution. */
export const excerpts = new WeakMap<AdminExecution, Excerpt>()

/** Whether it has the text; then the place is kept for when it is shown. */
export const isFound = (of: AdminExecution, sought: ReadonlyArray<string>): boolean => {
  const excerpt = excerptOf(of, sought)
  if (excerpt !== undefined) excerpts.set(of, excerpt)
  return excerpt !== undefined
}

/** Milliseconds after which the browser has its turn. */
const sliceMs = 10

/** The executions of a page that have the text. */
export const foundIn = async (
  { data, ...page }: Page<AdminExecution>,
  sought: ReadonlyArray<string>
): Promise<FoundPage<AdminExecution>> => {
  const found: Array<AdminExecution> = []
  let since = 0
  for (const each of data) {
    if (now() - since > sliceMs) {
      await pause(0)
      since = now()
    }
    if (isFound(each, sought)) found.push(each)
  }
  const looked = {
    count: data.length,
    newest: data[0]?.created_at ?? "",
    oldest: data.at(-1)?.created_at ?? ""
  }
  return { ...page, data: found, looked }
}
