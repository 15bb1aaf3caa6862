/** A proxy before a service, in which a test may come in between. */
import { type Received, startReceiver } from "./Receiver.ts"

/** An answer, as a proxy passes it on; null: the connection breaks in its place. */
export type Passed = {
  readonly status: number
  readonly told: string
  readonly headers?: Readonly<Record<string, string>>
} | null

/** What is passed on for a request; `send` asks the service. */
export type Between = (request: Received, send: () => Promise<NonNullable<Passed>>) => Promise<Passed>

const json = { "content-type": "application/json" }

export const startProxy = async (to: () => string | undefined, between: Between) => {
  const pass = (request: Received) =>
    between(request, async () => {
      const { body, headers, method, path } = request
      const answer = await fetch(`${to() ?? ""}${path}`, {
        method,
        headers: { authorization: headers["authorization"] ?? "", "content-type": "application/json" },
        ...(body === "" ? {} : { body })
      })
      const wait = answer.headers.get("retry-after")
      return {
        status: answer.status,
        told: await answer.text(),
        headers: { ...json, ...(wait !== null && { "retry-after": wait }) }
      }
    })
  const { origin, ...receiver } = await startReceiver(async (response, request) => {
    // Whoever asks may be gone, or the service.
    const passed = await pass(request).catch(() => null)
    if (passed === null) return void response.destroy()
    const { headers = json, status, told } = passed
    response.writeHead(status, headers).end(told)
  })
  return { ...receiver, url: origin }
}
