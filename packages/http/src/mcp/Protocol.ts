/**
 * How a client talks: by which version of the protocol, and what it can do. The
 * service keeps nothing of that. A session is its own record: it is a random name,
 * with what the client can do behind it, which every process reads.
 */
import { apiVersion } from "@runhook/contract/OpenApiDocument"
import { isJsonObject, type Json, type JsonObject } from "@runhook/core/shared/json/Json"
import type { Headers } from "effect/http/Headers"
import { isId, type MessageId } from "./JsonRpc.ts"

/** With a handshake. The first is offered to clients that ask for another one. */
const versions: ReadonlyArray<Json> = ["2025-11-25", "2025-06-18", "2025-03-26"]

/** Without: each request says what its client can do. */
const statelessVersion = "2026-07-28"

const meta = (name: string) => `io.modelcontextprotocol/${name}`

const serverInfo = { name: "runhook", title: "Runhook", version: apiVersion }

const capabilities = { tools: {} }

const instructions =
  "Each task is a tool. A tool whose execution takes longer than a call returns an execution_id: call get_execution with it to wait for the result."

/** The answer to the handshake. */
export const initialized = ({ protocolVersion = null }: JsonObject): JsonObject => ({
  protocolVersion: versions.includes(protocolVersion) ? protocolVersion : (versions[0] ?? null),
  capabilities,
  serverInfo,
  instructions
})

/** What a client without a handshake asks first. */
export const discovered: JsonObject = {
  supportedVersions: [statelessVersion, ...versions],
  capabilities,
  instructions,
  ttlMs: 3_600_000,
  cacheScope: "public"
}

/** The header by which a client names its session. */
export const sessionHeader = "mcp-session-id"

const session = /^[0-9a-f-]{36}\.(?:forms|plain)$/

/** A new session of a client with these capabilities. */
export const sessionOf = (uuid: string, { capabilities: ofClient = null }: JsonObject): string =>
  `${uuid}.${takesForms(ofClient) ? "forms" : "plain"}`

const sessionIn = (headers: Headers): string | null => {
  const given = headers[sessionHeader] ?? ""
  return session.test(given) ? given : null
}

/** Whether a client lets people fill in forms. */
const takesForms = (ofClient: Json): boolean => {
  const forms = isJsonObject(ofClient) ? ofClient["elicitation"] : undefined
  return isJsonObject(forms) && (Object.keys(forms).length === 0 || "form" in forms)
}

export interface Client {
  readonly isStateless: boolean
  readonly takesForms: boolean
  /** Under which the client hears how far its request is; null if it did not ask. */
  readonly progressToken: MessageId | null
}

export const clientOf = ({ _meta }: JsonObject, headers: Headers): Client => {
  const said = isJsonObject(_meta) ? _meta : {}
  const isStateless = said[meta("protocolVersion")] === statelessVersion
  const { progressToken = null } = said
  return {
    isStateless,
    takesForms: isStateless
      ? takesForms(said[meta("clientCapabilities")] ?? null)
      : sessionIn(headers)?.endsWith(".forms") === true,
    progressToken: isId(progressToken) ? progressToken : null
  }
}

/** The name of a call among all of its key, by which it is repeated and cancelled; null without a session. */
export const callName = (headers: Headers, id: MessageId): string | null => {
  const name = `mcp:${sessionIn(headers)}:${JSON.stringify(id)}`
  return sessionIn(headers) !== null && /^[!-~]{1,255}$/.test(name) ? name : null
}

/** Whether a header names a version that is not spoken here. */
export const isUnknownVersion = (headers: Headers): boolean => {
  const given = headers["mcp-protocol-version"]
  return given !== undefined && given !== statelessVersion && !versions.includes(given)
}

/** A result as the version has it. */
export const inVersion = ({ isStateless }: Pick<Client, "isStateless">, result: JsonObject): JsonObject => {
  if (!isStateless) return result
  const { _meta = null } = result
  return {
    resultType: "complete",
    ...result,
    _meta: { ...(isJsonObject(_meta) ? _meta : {}), [meta("serverInfo")]: serverInfo }
  }
}
