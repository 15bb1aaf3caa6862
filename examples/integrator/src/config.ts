/** The shop's settings, from its environment. */
type Environment = Readonly<Record<string, string | undefined>>

/** Throws an error that names what is missing. */
export const config = (environment: Environment) => {
  const required = (name: string): string => {
    const value = environment[name]
    if (value === undefined || value === "") throw new Error(`${name} must be set`)
    return value
  }
  const port = Number(environment["PORT"] ?? 3000)
  return {
    port,
    baseUrl: environment["RUNHOOK_URL"] ?? "http://127.0.0.1:8700",
    apiKey: required("RUNHOOK_API_KEY"),
    signingSecrets: required("RUNHOOK_SIGNING_SECRET").split(","),
    agentId: required("RUNHOOK_AGENT_ID"),
    taskId: required("RUNHOOK_TASK_ID"),
    callbackUrl: environment["CALLBACK_URL"] ?? `http://127.0.0.1:${port}/callbacks`
  }
}
