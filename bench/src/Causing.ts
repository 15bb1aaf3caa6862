/** Events that callers cause over HTTP in the cheapest way: creates, each with an `execution.queued`. */
import * as Schema from "effect/Schema"
import { Pool } from "undici"
import type { Side } from "./Lags.ts"

/** What is asked for one event. */
export interface Creation {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Options {
  readonly url: string
  /** Taken by turns. */
  readonly creations: ReadonlyArray<Creation>
  /** Who ask at once. */
  readonly callers: number
}

const Created = Schema.Struct({ execution_id: Schema.String })
const decodeCreated = Schema.decodeUnknownSync(Schema.fromJsonString(Created))

/** The name of an event is the id of its execution. */
export const causing = (
  { callers, creations, url }: Options,
  resources: AsyncDisposableStack
): Side["cause"] => {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections: callers })
  resources.defer(() => pool.close())
  return async (number) => {
    const creation = creations[number % creations.length]
    if (creation === undefined) throw new Error("There is nothing to ask")
    const answer = await pool.request({ method: "POST", path: pathname, ...creation })
    const text = await answer.body.text()
    if (answer.statusCode !== 201) throw new Error(`POST ${url} answered ${answer.statusCode}: ${text}`)
    return decodeCreated(text).execution_id
  }
}
