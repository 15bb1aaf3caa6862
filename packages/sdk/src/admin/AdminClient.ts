/** Turns the requests of the admin API below one path into promises. */
import type { CallOptions } from "../call/Settings.ts"
import { readNothing, readText } from "../promise/Answer.ts"
import { listOf } from "../promise/List.ts"
import { openFile } from "../promise/OpenFile.ts"
import type { Send } from "../promise/Send.ts"
import type { Promises } from "../promise/Types.ts"
import type { AdminClient } from "../requests/Client.ts"
import type { Request } from "../requests/Request.ts"

export const clientBelow = (root: string, send: Send): AdminClient<Promises> => {
  const below = <A>(request: Request<A, CallOptions>) => ({ ...request, path: root + request.path })
  return {
    call: (request) => send(below(request)),
    list: (firstPage) => listOf(below(firstPage), send),
    file: (request) => send(below(request), openFile),
    nothing: (request) => send(below(request), readNothing),
    text: (request) => send(below(request), readText)
  }
}
