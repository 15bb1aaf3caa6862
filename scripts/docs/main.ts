/** `npm run docs`: writes what the service serves at `/docs` as files for any web server. */
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { baseUrl as parseBaseUrl } from "@runhook/server/settings/SettingText"
import * as Result from "effect/Result"
import { writeSite } from "./OutputFolder.ts"
import { repositoryFiles } from "./RepositorySite.ts"

const usage = `Usage: npm run docs -- [--out <folder>] [--base-url <url>]

  --out        the folder to write, "site" unless given
  --base-url   the service in the examples, "http://127.0.0.1:8700" unless given`

const stop = (message: string): never => {
  console.error(message)
  process.exit(1)
}

const given = (() => {
  try {
    return parseArgs({
      options: {
        out: { type: "string", default: "site" },
        "base-url": { type: "string", default: "http://127.0.0.1:8700" }
      }
    }).values
  } catch (cause) {
    return stop(`${cause instanceof Error ? cause.message : String(cause)}\n${usage}`)
  }
})()

const baseUrl = Result.getOrElse(parseBaseUrl(given["base-url"]), (rule) => stop(`--base-url ${rule}`))
const folder = resolve(given.out)
const files = await repositoryFiles(baseUrl)
try {
  writeSite(folder, files)
} catch (cause) {
  stop(cause instanceof Error ? cause.message : String(cause))
}
console.log(`${files.size} files in ${folder}. Any web server can serve the folder, at any path.`)
