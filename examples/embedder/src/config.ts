/** The host's settings, from its environment. */
import * as Duration from "effect/Duration"
import type { EngineOptions } from "./Engine.ts"

type Environment = Readonly<Record<string, string | undefined>>

/** Throws an error that names what is missing. */
export const config = (environment: Environment): EngineOptions & { readonly port: number } => {
  const required = (name: string): string => {
    const value = environment[name]
    if (value === undefined || value === "") throw new Error(`${name} must be set`)
    return value
  }
  const port = Number(environment["PORT"] ?? 3000)
  return {
    port,
    databaseUrl: required("DATABASE_URL"),
    secretKey: required("RUNHOOK_SECRET_KEY"),
    baseUrl: environment["BASE_URL"] ?? `http://127.0.0.1:${port}`,
    filesDirectory: environment["FILES_DIR"] ?? "data/files",
    callbackAllow: environment["CALLBACK_ALLOW"] ?? "",
    retention: { delivered: Duration.days(30), dead: Duration.days(90) }
  }
}
