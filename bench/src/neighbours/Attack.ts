/** How one account asks for too much. */
import { Agent } from "undici"
import type * as Service from "../Service.ts"

export interface Setting {
  readonly service: Pick<Service.Service, "adminKey" | "baseUrl">
  /** Sizes that only show that it runs. */
  readonly quick: boolean
}

export interface Attack {
  /** Requests it keeps under way at once. */
  readonly callers: number
  /** Makes an account and what it needs; answers what one caller does, which ends with a status. */
  readonly prepare: (setting: Setting) => Promise<() => Promise<number>>
}

export interface Ask {
  readonly method: "GET" | "PATCH" | "POST"
  /** Behind `/api/v1`. */
  readonly path: string
  /** A key, or the cookie of a person on the Integrations page. */
  readonly key: string | Cookie
  readonly body?: string
}

export interface Cookie {
  readonly cookie: string
}

/** Requests on connections that stay open; an answer is read to its end. */
export const asking = ({ baseUrl }: Pick<Service.Service, "baseUrl">) => {
  const agent = new Agent({ connections: 512 })
  return async ({
    body,
    key,
    method,
    path
  }: Ask): Promise<{ readonly status: number; readonly text: string }> => {
    const answer = await agent.request({
      origin: baseUrl,
      path: `/api/v1${path}`,
      method,
      headers: {
        ...(typeof key === "string"
          ? { authorization: `Bearer ${key}` }
          : { ...key, origin: baseUrl, "x-runhook-console": "1" }),
        ...(body === undefined ? {} : { "content-type": "application/json" })
      },
      ...(body === undefined ? {} : { body })
    })
    return { status: answer.statusCode, text: await answer.body.text() }
  }
}

/** Names that no object has by itself, so that each costs the same. */
export const names = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, place) => `n${place.toString(36)}`)
