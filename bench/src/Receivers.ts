/** Receivers of callbacks on loopback, each an origin of its own. */
import { createServer } from "node:http"
import { listen } from "./Listening.ts"

export interface Options {
  readonly count: number
  /** Told the id of each event that comes, once it has come as a whole. */
  readonly onEvent: (id: string) => void
}

/** Starts receivers that answer 200 at once; answers their URLs. */
export const start = (
  { count, onEvent }: Options,
  resources: AsyncDisposableStack
): Promise<ReadonlyArray<string>> =>
  Promise.all(
    Array.from({ length: count }, () =>
      receiving(resources, (id, answer) => {
        onEvent(id)
        answer()
      })
    )
  )

/** Starts one that takes requests and never answers. */
export const startHanging = (resources: AsyncDisposableStack): Promise<string> =>
  receiving(resources, () => {})

const receiving = (
  resources: AsyncDisposableStack,
  take: (id: string, answer: () => void) => void
): Promise<string> => {
  const server = createServer((request, response) => {
    const id = String(request.headers["x-webhook-event-id"])
    request.resume().once("end", () => take(id, () => response.end()))
  })
  return listen(server, resources)
}
