/** A runner as a process of its own, whose work waits for an answer. */
import { createRunner } from "../../src/runner/Runner.ts"

const { RUNHOOK_RUNNER_KEY: apiKey = "", RUNHOOK_URL: baseUrl = "" } = process.env

await createRunner({
  baseUrl,
  apiKey,
  tasks: {
    print: async ({ ask }) => ({
      code: await ask({ key: "code", prompt: "Which code?", schema: { type: "string" } })
    })
  }
}).run()
process.stdout.write("left\n")
