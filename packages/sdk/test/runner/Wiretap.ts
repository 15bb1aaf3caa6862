/** What a runner says to the service, and ways to come in between. */
import type { ClaimWork } from "../../src/wire/Runner.ts"

export interface Said {
  /** Below `/api/v1/runner`, with `{id}` for an execution. */
  readonly path: string
  readonly body: unknown
  readonly traceparent: string | null
}

type Fetch = typeof globalThis.fetch

/** A fetch that notes what passes. What `between` answers comes in place of what the service would. */
export const tapped = (
  between: (said: Said, send: () => Promise<Response>) => Promise<Response | undefined> = async () =>
    undefined
) => {
  const said: Array<Said> = []
  const fetch: Fetch = async (input, init) => {
    const path = new URL(String(input)).pathname.replace("/api/v1/runner", "")
    const one = {
      path: path.replace(/executions\/[^/]+/, "executions/{id}"),
      body: typeof init?.body === "string" ? JSON.parse(init.body) : null,
      traceparent: new Headers(init?.headers).get("traceparent")
    }
    said.push(one)
    const send = () => globalThis.fetch(input, init)
    return (await between(one, send)) ?? (await send())
  }
  return {
    fetch,
    said,
    /** How often this was called. */
    count: (path: string) => said.filter((each) => each.path === path).length,
    claims: () => said.flatMap(claimIn)
  }
}

export const claimIn = ({ body, path }: Said): ReadonlyArray<ClaimWork> =>
  path === "/claims" ? [body as ClaimWork] : []

/** Whether the service is told of ended work by this. */
export const tells = (said: Said): boolean => claimIn(said).some(({ outcomes = [] }) => outcomes.length > 0)
