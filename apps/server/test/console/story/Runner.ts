/** The work of the story: portals of carriers, as a runner does it. */
import type { JsonObject } from "@runhook/sdk/admin"
import { createRunner } from "@runhook/sdk/runner"

export interface RunnerSource {
  readonly baseUrl: string
  readonly key: string
  readonly agentIds: ReadonlyArray<string>
  /** A picture of a page, as PNG. */
  readonly picture: Uint8Array
}

export const invoicesSchema: JsonObject = {
  type: "object",
  required: ["carrier", "month"],
  properties: {
    carrier: {
      type: "string",
      title: "Carrier",
      enum: ["Kestrel Express", "Northquay Lines", "Brightwater"]
    },
    month: { type: "string", title: "Month", pattern: "^\\d{4}-\\d{2}$", description: "As 2026-11" },
    limit: { type: "integer", title: "At most", minimum: 1, maximum: 500, default: 50 },
    include_pdf: { type: "boolean", title: "Keep each invoice as PDF", default: true }
  },
  additionalProperties: false
}

export const slotSchema: JsonObject = {
  type: "object",
  required: ["warehouse"],
  properties: {
    warehouse: { type: "string", title: "Warehouse", enum: ["Hamburg", "Rotterdam"] },
    pallets: { type: "integer", title: "Pallets", minimum: 1, maximum: 66 }
  },
  additionalProperties: false
}

export const customsSchema: JsonObject = {
  type: "object",
  required: ["mrn"],
  properties: { mrn: { type: "string", title: "Movement reference number", minLength: 18, maxLength: 18 } },
  additionalProperties: false
}

const codeQuestion = {
  key: "one-time-code",
  prompt: "Kestrel sent a one-time code to operations. Which is it?",
  schema: {
    type: "object",
    required: ["code"],
    properties: { code: { type: "string", title: "Code", pattern: "^\\d{6}$", description: "Six digits" } }
  },
  expires_in_s: 900
}

export const startRunner = ({ agentIds, baseUrl, key, picture }: RunnerSource) => {
  const runner = createRunner<{
    "carrier-invoices": { readonly params: { readonly carrier: string }; readonly result: object }
    "dock-slot": { readonly params: object; readonly result: object }
    "customs-status": { readonly params: object; readonly result: object }
  }>({
    baseUrl,
    apiKey: key,
    agentIds,
    capacity: 6,
    name: "portal-runner-1",
    version: "2.4.0",
    // One of them waits for an answer that never comes.
    drainGraceMs: 100,
    log: () => {},
    tasks: {
      "carrier-invoices": async ({ artifacts, params, progress }) => {
        progress({ percent: 30, message: "Signed in to the portal" })
        await artifacts.screenshot(picture, { file_name: "signed-in.png" })
        if (params.carrier === "Brightwater") throw new Error("The portal answered 502 three times")
        const text = `Invoice KE-40981\n${params.carrier}\n1,840.22 EUR\n`
        await artifacts.download(new TextEncoder().encode(text), {
          file_name: "KE-40981.txt",
          content_type: "text/plain"
        })
        await artifacts.screenshot(picture, { file_name: "invoices.png" })
        return {
          invoices: [
            { number: "KE-40981", total: 1840.22 },
            { number: "KE-40982", total: 96 }
          ],
          currency: "EUR"
        }
      },
      "dock-slot": async ({ ask, progress }) => {
        progress({ percent: 60, message: "Waits for the one-time code" })
        return { slot: "2026-11-24T06:30:00Z", code: await ask(codeQuestion) }
      },
      "customs-status": async () => ({ status: "released" })
    }
  })
  const ended = runner.run()
  return {
    stop: async () => {
      await runner.stop()
      await ended
    }
  }
}
