/** Receivers of callbacks on loopback, each an origin of its own. */
import { createServer } from "node:http"
import { listen } from "./Listening.ts"

export interface Options {
  readonly count: number
  /** Told the id and the body of each event that comes, once it has come as a whole. */
  readonly onEvent: (id: string, body: string) => void
}

/** Starts receivers that answer 200 at once; answers their URLs. */
export const start = (
  { count, onEvent }: Options,
  resources: AsyncDisposableStack
): Promise<ReadonlyArray<string>> =>
  Promise.all(
    Array.from({ length: count }, () =>
      receiving(resources, ({ answer, body, id }) => {
        onEvent(id, body)
        answer()
      })
    )
  )

/** Starts one that takes requests and never answers. */
export const startHanging = (resources: AsyncDisposableStack): Promise<string> =>
  receiving(resources, () => {})

interface Arrived {
  readonly id: string
  readonly body: string
  readonly answer: () => void
}

const receiving = (resources: AsyncDisposableStack, take: (arrived: Arrived) => void): Promise<string> => {
  const server = createServer((request, response) => {
    const id = String(request.headers["x-webhook-event-id"])
    let body = ""
    request
      .setEncoding("utf8")
      .on("data", (text: string) => {
        body += text
      })
      .once("end", () => take({ id, body, answer: () => response.end() }))
  })
  return listen(server, resources)
}
