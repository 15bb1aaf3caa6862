/** A runner as a process of its own: it asks for a code, comes seven pages far, and would then work for ever. */
import { createRunner } from "@runhook/sdk/runner"

await createRunner({
  instanceId: "first machine",
  tasks: {
    "fetch-invoices": async ({ ask, checkpoint }) => {
      await ask({
        key: "code",
        prompt: "The code of the text message?",
        schema: { type: "string", pattern: "^\\d{6}$" }
      })
      await checkpoint({ page: 7 })
      process.stdout.write("seven pages read\n")
      return new Promise(() => {})
    }
  },
  log: () => {}
}).run()
