/** The request of the run form, also as a command and as code. */
import type { AdminCreateExecution, Json } from "@runhook/sdk/admin"
import { curl } from "../../format/Curl.ts"
import { isMembers } from "../../format/Json.ts"

/** The form as typed. */
export interface RunForm {
  readonly taskId: string
  /** "" for the current one. */
  readonly versionId: string
  readonly agentId: string
  readonly keyId: string
  readonly params: Json | undefined
  readonly callbackUrl: string
  readonly reference: string
  readonly priority: string
  /** In the user's zone, as the input has it. */
  readonly notBefore: string
}

/** The body of the request, without empty fields. */
export const bodyOf = (form: RunForm): AdminCreateExecution => {
  const { agentId, callbackUrl, keyId, notBefore, params, priority, reference, taskId, versionId } = form
  return {
    key_id: keyId,
    agent_id: agentId,
    task_id: taskId,
    ...(versionId === "" ? {} : { task_version_id: versionId }),
    ...(isMembers(params) ? { params } : {}),
    ...(callbackUrl === "" ? {} : { callback_url: callbackUrl }),
    ...(reference === "" ? {} : { reference }),
    ...(priority.trim() === "" ? {} : { priority: Number(priority) }),
    ...(notBefore === "" ? {} : { scheduled_at: new Date(notBefore).toISOString() })
  }
}

/** The request of a system with its own key, which it need not name. */
const asked = (form: RunForm) => {
  const { key_id: _, ...body } = bodyOf(form)
  return body
}

export const curlOf = (form: RunForm, baseUrl: string): string =>
  curl({ baseUrl, path: "/executions", body: JSON.stringify(asked(form), null, 2) })

export const codeOf = (form: RunForm, baseUrl: string): string =>
  [
    `import { Runhook } from "@runhook/sdk"`,
    "",
    `const runhook = new Runhook({ baseUrl: ${JSON.stringify(baseUrl)}, apiKey: process.env.RUNHOOK_API_KEY })`,
    `const execution = await runhook.executions.create(${JSON.stringify(asked(form), null, 2)})`
  ].join("\n")
