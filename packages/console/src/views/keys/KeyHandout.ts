/** What the maker of a key gets: an env file, and a command that tries the key. Pure. */
import type { Key } from "@runhook/sdk/admin"
import { curl } from "../../format/Curl.ts"

export interface Secrets {
  /** Undefined when only the signing secret is new. */
  readonly key?: string
  readonly runnerKey?: string
  /** Undefined when only the key is new. */
  readonly signingSecret?: string
}

/** The variables that the SDK and the examples read. */
export const envOf = ({ key, runnerKey, signingSecret }: Secrets, baseUrl: string): string =>
  Object.entries({
    RUNHOOK_BASE_URL: baseUrl,
    RUNHOOK_API_KEY: key,
    RUNHOOK_RUNNER_KEY: runnerKey,
    RUNHOOK_SIGNING_SECRET: signingSecret
  })
    .map(([name, value]) => (value === undefined ? "" : `${name}=${value}\n`))
    .join("")

/** A file name that is valid on every system: `warehouse-erp.env`. */
export const envNameOf = (name: string): string =>
  `${
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-|-$/g, "")
      .slice(0, 60) || "runhook"
  }.env`

/** A command that only reads something the key has access to. */
export const curlOf = (
  key: string,
  { baseUrl, capabilities }: { readonly baseUrl: string } & Pick<Key, "capabilities">
) => curl({ baseUrl, path: lookOf(capabilities), key })

const lookOf = (capabilities: Key["capabilities"]): string => {
  const look = looks.find(([capability]) => capabilities === null || capabilities.includes(capability))
  return look?.[1] ?? "/tasks"
}

const looks: ReadonlyArray<readonly [capability: string, path: string]> = [
  ["catalog:read", "/tasks"],
  ["executions:read", "/executions"],
  ["webhooks:read", "/webhooks/deliveries"]
]
