/** Log entries of a client: never a header, a body or a query, which may contain secrets. */

export interface LogEntry {
  readonly event: "response" | "retry" | "failure"
  readonly method: string
  /** Path of the API, without its query. */
  readonly path: string
  /** From 1. */
  readonly attempt: number
  readonly durationMs: number
  readonly status: number | null
  readonly requestId: string | null
  /** What was wrong with a failed attempt. */
  readonly problem?: string
  /** The pause before the next attempt. */
  readonly delayMs?: number
}

/** The text without the key. */
export const withoutKey = (text: string, apiKey: string | null): string =>
  apiKey === null ? text : text.replaceAll(apiKey, "[key]")
