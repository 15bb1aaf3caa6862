/** An account with what the README makes in it, and the calls of an integrator. */
import { adminKey } from "./Programs.ts"

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

interface Call {
  readonly key: string
  readonly path: string
  readonly body?: unknown
}

const call = async <Answer>(url: string, { body, key, path }: Call): Promise<Answer> => {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}

/** Makes an account with an agent, the task, a key and a runner key. */
export const makeTenant = async (url: string) => {
  const admin = <Answer>(path: string, body: unknown) =>
    call<Answer>(url, { key: adminKey, path: `/admin/accounts${path}`, body })
  const { id: account } = await admin<{ id: string }>("", { name: "Browser example" })
  const agent = await admin<{ id: string }>(`/${account}/agents`, { name: "Chromium", capacity: 2 })
  const task = await admin<{ id: string }>(`/${account}/tasks`, { slug: "visit-page", name: "Visit a page" })
  const params_schema = { type: "object", required: ["url"] }
  await admin(`/${account}/tasks/${task.id}/versions`, { params_schema })
  const { key } = await admin<{ key: string }>(`/${account}/keys`, { name: "example" })
  const runnerKey = await admin<{ key: string }>(`/${account}/runner-keys`, { name: "browser" })

  const api = <Answer>(path: string, body?: unknown) =>
    call<Answer>(url, { key, path: `/integrations${path}`, body })
  return {
    runnerKey: runnerKey.key,

    visit: async (page: string): Promise<string> => {
      const body = { agent_id: agent.id, task_id: task.id, params: { url: page } }
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
      const response = await fetch(file.url, { headers: { authorization: `Bearer ${key}` } })
      return Buffer.from(await response.arrayBuffer())
    }
  }
}
