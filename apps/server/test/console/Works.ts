/** Work for the Integrations page to show: an agent and its runner, which does what it is told. */
import type { AdminCreateExecution, RunhookAdmin } from "@runhook/sdk/admin"
import { createRunner, type HandlerContext, TaskError } from "@runhook/sdk/runner"
import { startReceiver } from "@runhook/test-support/receivers/Receiver"
import type { Page } from "playwright-core"

/** A receiver that answers each type of event with the status that is set for it, 204 unless one is. */
export const receiver = async () => {
  const answers = new Map<string, number>()
  const started = await startReceiver((response, { body }) => {
    const type = /"type":"([^"]+)"/.exec(body)?.[1] ?? ""
    response.writeHead(answers.get(type) ?? 204).end()
  })
  return { ...started, answers }
}

/** A picture and two seconds of video, as a browser makes them. */
export const capturesOf = async (page: Page) => {
  await page.goto("about:blank")
  const video = await page.evaluate(recording)
  return { picture: await page.screenshot(), video: Buffer.from(String(video), "base64") }
}

const recording = `new Promise((resolve) => {
  const canvas = document.body.appendChild(document.createElement("canvas"))
  canvas.width = 320
  canvas.height = 200
  const pen = canvas.getContext("2d")
  let frame = 0
  const drawing = setInterval(() => {
    pen.fillStyle = "#eef0f4"
    pen.fillRect(0, 0, 320, 200)
    pen.fillStyle = "#0b57c4"
    pen.fillRect((frame++ * 5) % 320, 80, 40, 40)
  }, 40)
  const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: "video/webm" })
  const parts = []
  recorder.ondataavailable = ({ data }) => parts.push(data)
  recorder.onstop = async () => {
    clearInterval(drawing)
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
    resolve(btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")))
  }
  recorder.start(100)
  setTimeout(() => recorder.stop(), 2000)
})`

export interface Captures {
  readonly picture: Uint8Array
  readonly video: Uint8Array
}

/** The instructions in the task's params. */
const work =
  (captures: () => Captures) =>
  async ({ artifacts, ask, params, progress, signal }: HandlerContext) => {
    const { picture, video } = captures()
    switch (params["do"]) {
      case "fail":
        throw new TaskError("No such invoice: <b>KE-40981</b>")
      case "ask": {
        progress({ percent: 52, step: "Sign in to the carrier portal" })
        const code = await ask({
          key: "code",
          prompt: "The portal sent a code to the phone that ends in 4471. Which code is it?",
          schema: {
            type: "object",
            required: ["code"],
            properties: { code: { type: "string", title: "Code", pattern: "^[0-9]{6}$" } }
          }
        })
        return { signed_in: code }
      }
      case "wait":
        progress({ percent: 10, step: "waiting" })
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }))
        return {}
      default:
        await artifacts.screenshot(picture, { file_name: "after sign-in.png", content_type: "image/png" })
        await artifacts.download(Buffer.from("%PDF-1.4 an invoice"), {
          file_name: "invoice.exe <script>window.harmed=1</script>".replaceAll("/", ""),
          content_type: "application/pdf"
        })
        await artifacts.video(video, {
          file_name: "session.webm",
          content_type: "video/webm",
          platform_id: "0192f0c1-2d3e-7abc-8def-0123456789ab",
          handler: "kestrel",
          started_offset_ms: 0
        })
        return { invoices: [{ number: "KE-40981", total: 1840.22 }], currency: "EUR" }
    }
  }

export interface WorkplaceOptions {
  readonly admin: RunhookAdmin
  readonly baseUrl: string
  readonly accountId: string
  readonly captures: () => Captures
}

/** A task and an agent that a runner of this process serves. Stop the runner at the end. */
export const makeWorkplace = async ({ accountId, admin, baseUrl, captures }: WorkplaceOptions) => {
  const account = admin.account(accountId)
  const agent = await account.agents.create({ name: "Portal EU 1", capacity: 2 })
  const task = await account.tasks.create({ slug: "invoices", name: "Download carrier invoices" })
  await account.tasks.publish(task.id, { params_schema: { type: "object" } })
  const key = await account.keys.create({ name: "Warehouse ERP" })
  const runnerKey = await account.runnerKeys.create({ name: "eu-1", agent_ids: [agent.id] })
  const runner = createRunner({
    baseUrl,
    apiKey: runnerKey.key,
    capacity: 2,
    tasks: { invoices: work(captures) },
    log: () => {}
  })
  await runner.start()
  const run = async (what: string, fields: Partial<AdminCreateExecution> = {}): Promise<string> => {
    const { execution_id } = await account.executions.create({
      key_id: key.id,
      agent_id: agent.id,
      task_id: task.id,
      params: { do: what, carrier: "kestrel" },
      ...fields
    })
    return execution_id
  }
  return { account, agent, key, run, runner, task }
}
