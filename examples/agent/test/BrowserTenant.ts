/** An account with what the README makes in it, and the calls of an integrator. */
import type { Service } from "@runhook/test-support/world/Service"
import { makeTenant, workOf } from "@runhook/test-support/world/Tenant"

export interface File {
  readonly file_name: string
  readonly content_type: string
  readonly size_bytes: number
  readonly url: string
}

export interface Execution {
  readonly status: string
  readonly error_message: string | null
  readonly result: Readonly<Record<string, unknown>> | null
  readonly downloads: ReadonlyArray<File>
  readonly prints: ReadonlyArray<File>
  readonly screenshots: ReadonlyArray<File>
}

/** A tenant with the task of the agent. */
export const makeBrowserTenant = async ({ json, make }: Service) => {
  const tenant = await makeTenant(make, {
    agent: { capacity: 2 },
    task: { slug: "visit-page", name: "Visit a page" },
    version: { params_schema: { type: "object", required: ["url"] } }
  })
  const api = <Answer>(path: string, body?: unknown) =>
    json<Answer>({ key: tenant.apiKey, path: `/integrations${path}`, body })
  return {
    runnerKey: tenant.runnerKey,

    visit: async (page: string): Promise<string> => {
      const body = { ...workOf(tenant), params: { url: page } }
      return (await api<{ execution_id: string }>("/executions", body)).execution_id
    },

    /** The execution, once it is over. */
    outcome: (id: string) => api<Execution>(`/executions/${id}?wait=60`),

    cancel: (id: string) => api(`/executions/${id}/cancel`, {}),

    artifacts: (id: string) =>
      api<Execution & { readonly videos: ReadonlyArray<{ readonly signed_url: string }> }>(
        `/executions/${id}/artifacts`
      ),

    runners: async (): Promise<number> =>
      (await api<{ data: ReadonlyArray<{ runners: number }> }>("/agents")).data[0]?.runners ?? 0,

    /** The bytes behind a key-gated link, the redirect followed. */
    bytesOf: async (file: File): Promise<Buffer> => {
      const response = await fetch(file.url, { headers: { authorization: `Bearer ${tenant.apiKey}` } })
      return Buffer.from(await response.arrayBuffer())
    }
  }
}
