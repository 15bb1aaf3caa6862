/** The settings, all from the environment. */
import { hostname } from "node:os"

export interface Config {
  /** RUNHOOK_URL: where the service listens, such as http://127.0.0.1:8700. */
  readonly url: string
  /** RUNHOOK_RUNNER_KEY: the `rhrun_...` key an operator made. */
  readonly key: string
  /** RUNNER_NAME: shown to operators, unique among the runners of one key. Default: the name of the host. */
  readonly name: string
  /** RUNNER_ALLOWED_ORIGINS: the origins pages may talk to, separated by commas. Default: any. */
  readonly allowedOrigins: ReadonlyArray<string> | undefined
  /** RUNNER_CHROMIUM: path of a Chromium of your own. Default: the one from npm, for Linux on x64. */
  readonly chromium: string | undefined
}

/** Throws one sentence that names the setting and its rule. */
export const readConfig = (environment: Readonly<Record<string, string | undefined>>): Config => ({
  url: readUrl("RUNHOOK_URL", required("RUNHOOK_URL", environment["RUNHOOK_URL"])).origin,
  key: required("RUNHOOK_RUNNER_KEY", environment["RUNHOOK_RUNNER_KEY"]),
  name: environment["RUNNER_NAME"] || hostname(),
  allowedOrigins: environment["RUNNER_ALLOWED_ORIGINS"]
    ?.split(",")
    .map((origin) => readUrl("RUNNER_ALLOWED_ORIGINS", origin.trim()).origin),
  chromium: environment["RUNNER_CHROMIUM"] || undefined
})

const required = (name: string, value: string | undefined): string => {
  if (!value) throw new Error(`${name} must be set`)
  return value
}

const readUrl = (name: string, text: string): URL => {
  const url = URL.parse(text)
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new Error(`${name} must be an http or https URL, and "${text}" is not`)
  }
  return url
}
