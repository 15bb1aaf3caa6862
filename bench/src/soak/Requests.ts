/** Requests of persistent callers, who retry what the service could not do. */
import { setTimeout as pause } from "node:timers/promises"
import { Pool } from "undici"

const triesMax = 20
const waitMillis = 500
const connections = 64

export interface Request {
  readonly path: string
  readonly key: string
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

/** Answers the body of a 2xx; undefined when it was refused, or not answered however often it was sent. */
export type Post = (request: Request) => Promise<string | undefined>

export const connect = (baseUrl: string, resources: AsyncDisposableStack): Post => {
  const pool = new Pool(baseUrl, { connections })
  resources.defer(() => pool.destroy())

  const send = async ({ body, headers, key, path }: Request) => {
    const answer = await pool.request({
      method: "POST",
      path: `/api/v1${path}`,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      body: JSON.stringify(body)
    })
    return { status: answer.statusCode, text: await answer.body.text() }
  }

  return async (request) => {
    for (let tries = 0; tries < triesMax; tries++) {
      if (tries > 0) await pause(waitMillis)
      const answer = await send(request).catch(() => undefined)
      if (answer === undefined || answer.status >= 500 || answer.status === 429) continue
      return answer.status < 300 ? answer.text : undefined
    }
    return undefined
  }
}
