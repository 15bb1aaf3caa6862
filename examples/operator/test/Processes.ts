/** The processes of the example, started as its README says. */
import { spawn } from "node:child_process"
import { EventEmitter, once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))

export const startProcesses = (settingsFile: string) => {
  const child = spawn(process.execPath, [main, settingsFile], {
    env: { PATH: process.env["PATH"], API_PORT: "0", DISPATCHER_PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const ended = once(child, "close")
  const news = new EventEmitter()
  const lines: Array<string> = []
  createInterface(child.stdout).on("line", (line) => {
    lines.push(line)
    news.emit("news")
  })
  void ended.then(() => news.emit("news"))

  return {
    lines,

    /** Where the process of that role listens, once it does. */
    urlOf: async (role: string): Promise<string> => {
      for (;;) {
        const url = lines
          .filter((line) => line.startsWith(`${role} |`))
          .map((line) => /"url":"([^"]+)"/.exec(line)?.[1])
          .find((found) => found !== undefined)
        if (url !== undefined) return url
        if (child.exitCode !== null) throw new Error(`It ended: ${lines.join("\n")}`)
        await once(news, "news")
      }
    },

    /** Asks both to stop. Answers the exit code. */
    stop: async (): Promise<number | null> => {
      child.kill("SIGTERM")
      await ended
      return child.exitCode
    },

    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM")
      await ended
    }
  }
}
