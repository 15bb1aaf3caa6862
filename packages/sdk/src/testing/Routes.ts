/** Every endpoint of the API, and how a request finds it. */
import { randomName } from "../call/RandomName.ts"
import * as Catalog from "./CatalogRoutes.ts"
import { create } from "./Creating.ts"
import * as Executions from "./ExecutionRoutes.ts"
import { brokenRules, type Refusal, Refused } from "./Refused.ts"
import { rerun } from "./Rerunning.ts"
import { reschedule } from "./Rescheduling.ts"
import type { Asked, Answer, Route } from "./Route.ts"
import { id as idRule } from "./Rules.ts"
import type { World } from "./World.ts"

/** By path below the root of the API, then by method. */
export const routes: Readonly<Record<string, Readonly<Record<string, Route>>>> = {
  "/executions": { GET: Executions.list, POST: create },
  "/executions/:id": { GET: Executions.get, PATCH: reschedule },
  "/executions/:id/cancel": { POST: Executions.cancel },
  "/executions/:id/release": { POST: Executions.release },
  "/executions/:id/rerun": { POST: rerun },
  "/executions/:id/events": { GET: Executions.events },
  "/executions/:id/artifacts": { GET: Executions.artifacts },
  "/executions/:id/files/:fileId": { GET: Executions.file },
  "/executions/:id/inputs": { GET: Executions.inputs },
  "/executions/:id/inputs/:inputId": { POST: Executions.answer },
  "/tasks": { GET: Catalog.tasks },
  "/tasks/:id": { GET: Catalog.task },
  "/tasks/:id/params-schema": { GET: Catalog.paramsSchema },
  "/agents": { GET: Catalog.agents },
  "/webhooks/test": { POST: Catalog.testWebhook }
}

/** What a request needs beside its own words. */
export interface Serving {
  readonly world: World
  readonly apiKey: string
  /** Takes the refusal that a test wants this request to be met with, if any. */
  readonly planned: () => Refusal | undefined
}

/** The service's answer. Never rejects for what the request says. */
export const answerTo = async (request: Request, serving: Serving): Promise<Response> => {
  const requestId = `req_${randomName().slice(0, 20)}`
  try {
    const answer = await answered(request, requestId, serving)
    if (answer instanceof Response) return answer
    return json({ ...answer.body, request_id: requestId }, { requestId, status: answer.status ?? 200 })
  } catch (cause) {
    if (!(cause instanceof Refused)) throw cause
    const { code, details = null, message, retryAfterSeconds, status } = cause.refusal
    return json(
      { error: { code, message, details, request_id: requestId } },
      { requestId, status, retryAfterSeconds }
    )
  }
}

const json = (
  body: object,
  {
    requestId,
    retryAfterSeconds,
    status
  }: { readonly requestId: string; readonly status: number; readonly retryAfterSeconds?: number | undefined }
): Response => {
  const headers = new Headers({ "x-request-id": requestId })
  if (retryAfterSeconds !== undefined) headers.set("retry-after", String(retryAfterSeconds))
  return Response.json(body, { status, headers })
}

const answered = async (request: Request, requestId: string, serving: Serving): Promise<Answer> => {
  const { apiKey, planned, world } = serving
  const { pathname, search, searchParams: query } = new URL(request.url)
  const root = new URL(world.apiRoot).pathname
  if (pathname.startsWith(Executions.storagePath)) return stored(world, pathname)
  const path = pathname.startsWith(`${root}/`) ? pathname.slice(root.length) : ""
  const found = Object.entries(routes).flatMap(([pattern, methods]) => {
    const params = paramsIn(pattern, path)
    return params === undefined ? [] : [{ methods, params }]
  })[0]
  if (found === undefined) {
    throw new Refused({ status: 404, code: "not_found", message: "There is no such endpoint" })
  }
  const route = found.methods[request.method]
  if (route === undefined) throw wrongMethod(Object.keys(found.methods))
  if (request.headers.get("authorization") !== `Bearer ${apiKey}`) {
    const message = "A valid key is required in the Authorization header: Bearer <key>"
    throw new Refused({ status: 401, code: "unauthorized", message })
  }
  const refusal = planned()
  if (refusal !== undefined) throw new Refused(refusal)
  const issues = Object.entries(found.params).flatMap(([name, value]) => idRule(value, ["path", name]))
  if (issues.length > 0) throw brokenRules(400, issues)
  const undecodable = search
    .slice(1)
    .split("&")
    .filter((parameter) => !isDecodable(parameter))
  if (undecodable.length > 0) throw brokenRules(400, undecodable.map(undecodableIssue))
  const { headers, signal } = request
  const asked: Asked = {
    world,
    requestId,
    headers,
    query,
    signal,
    params: found.params,
    text: await request.text()
  }
  return route(asked)
}

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const undecodableIssue = (parameter: string) => ({
  path: ["query", parameter.split("=", 1)[0] ?? ""],
  message: "must be percent-encoded UTF-8"
})

const wrongMethod = (methods: ReadonlyArray<string>) => {
  const allowed = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ")
  return new Refused({
    status: 405,
    code: "invalid_request",
    message: `The method must be one of ${allowed}`
  })
}

/** The named parts of a path that fits the pattern, or undefined. */
const paramsIn = (pattern: string, path: string): Readonly<Record<string, string>> | undefined => {
  const names = pattern.split("/")
  const parts = path.split("/")
  if (names.length !== parts.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, name] of names.entries()) {
    const part = parts[index] ?? ""
    if (name.startsWith(":")) params[name.slice(1)] = part.toLowerCase()
    else if (name !== part) return undefined
  }
  return params
}

const stored = ({ executions }: World, pathname: string): Response => {
  const id = pathname.slice(Executions.storagePath.length)
  const known = [...executions.values()].flatMap(({ files }) => files).find((file) => file.id === id)
  return known === undefined
    ? new Response(null, { status: 404 })
    : new Response(known.bytes, { headers: { "content-type": known.content_type } })
}
