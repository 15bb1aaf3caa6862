/** The target of a request, which a proxy may read in another way than the service does. */
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { Problem } from "../../errors/ErrorAnswer.ts"

const pathIn = (target: string): string => /^(?:https?:\/\/[^/?#]*)?([^?]*)/i.exec(target)?.[1] ?? ""

/** Some routers end the path there. */
const endsEarly: Problem = {
  status: 400,
  message: "The path of the URL must not have ; or #: write %3B or %23"
}

/** A whole URL is put in order before it is looked up, and some are none. */
const isReadOtherwise: Problem = {
  status: 400,
  message: "The URL must begin with its path, which must be written as it is read"
}

/**
 * What makes a target ambiguous: who hides `/metrics` at a proxy must not be passed by
 * `/metrics;a`, nor by `http://localhost/a/../metrics`.
 */
export const targetProblem = ({
  originalUrl,
  url
}: Pick<HttpServerRequest, "originalUrl" | "url">): Problem | undefined => {
  const path = pathIn(originalUrl)
  if (/[;#]/.test(path)) return endsEarly
  const isAsRead = path === "" || path === pathIn(url)
  return isAsRead && (url.startsWith("/") || url === "*") ? undefined : isReadOtherwise
}
