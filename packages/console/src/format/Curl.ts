/** Commands for curl, ready to paste into a shell. */

/** A text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

export interface Call {
  /** The service, and the path below its API for callers. */
  readonly baseUrl: string
  readonly path: string
  /** The JSON that is posted; without it, something is read. */
  readonly body?: string
  /** The key; by default the variable that has it. */
  readonly key?: string
}

export const curl = ({ baseUrl, body, key, path }: Call): string =>
  [
    `curl ${body === undefined ? "" : "-sS "}${quoted(`${baseUrl}/api/v1/integrations${path}`)}`,
    key === undefined
      ? `-H "Authorization: Bearer $RUNHOOK_API_KEY"`
      : `-H ${quoted(`Authorization: Bearer ${key}`)}`,
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(body)}`])
  ].join(" \\\n  ")
