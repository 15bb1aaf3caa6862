/** Programs that make clients of the documents: those of the workspace, and those of other languages that this machine has. */
import { execFile } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { apiNames } from "../Documents.ts"

export interface Generator {
  readonly name: string
  /** Makes clients of the documents in the folder, and compiles them with their story; resolves with what the programs said. */
  readonly compile: (folder: string) => Promise<string>
  /** Runs the story; resolves with what it said. */
  readonly tell: (folder: string, settings: Environment) => Promise<string>
}

export type Environment = Readonly<Record<string, string>>

const run = async (cwd: string, [program = "", ...args]: ReadonlyArray<string>, env: Environment = {}) => {
  const { stderr, stdout } = await promisify(execFile)(program, args, {
    cwd,
    env: { ...process.env, ...env }
  })
  return stdout + stderr
}

const compiler = join(dirname(fileURLToPath(import.meta.resolve("typescript/package.json"))), "bin/tsc")

/** Its own libraries need no check, and are most of what it reads. */
const typescript = (folder: string, files: ReadonlyArray<string>): Promise<string> => {
  const words = [
    "--noEmit",
    "--strict",
    "--skipLibCheck",
    "--allowImportingTsExtensions",
    "--module",
    "nodenext"
  ]
  return run(folder, [process.execPath, compiler, ...words, ...files])
}

const openapiTypescript: Generator = {
  name: "openapi-typescript",
  compile: async (folder) => {
    const { astToString, default: typesOf } = await import("openapi-typescript")
    for (const name of apiNames) {
      const document = pathToFileURL(join(folder, `${name}.json`))
      const types = await typesOf(document, { defaultNonNullable: false })
      await writeFile(join(folder, `${name}.ts`), astToString(types))
    }
    return typescript(folder, ["consumer.ts", "story.ts"])
  },
  tell: (folder, settings) => run(folder, [process.execPath, "story.ts"], settings)
}

const heyApi: Generator = {
  name: "@hey-api/openapi-ts",
  compile: async (folder) => {
    const { createClient } = await import("@hey-api/openapi-ts")
    for (const name of apiNames) {
      await createClient({
        input: join(folder, `${name}.json`),
        output: { path: join(folder, name), module: { extension: ".ts" } },
        logs: { level: "silent" }
      })
    }
    return typescript(folder, [...apiNames.map((name) => `${name}/index.ts`), "hey-story.ts"])
  },
  tell: (folder, settings) => run(folder, [process.execPath, "hey-story.ts"], settings)
}

const runtime = "github.com/oapi-codegen/runtime@latest"

/** Go takes modules from its cache alone. */
const offline = async (folder: string): Promise<Environment> => {
  const cache = await run(folder, ["go", "env", "GOMODCACHE"])
  const proxy = `${pathToFileURL(cache.trim()).href}/cache/download`
  return { GOPROXY: proxy, GOSUMDB: "off", GOFLAGS: "-mod=mod -trimpath", GOTOOLCHAIN: "local" }
}

const oapiCodegen: Generator = {
  name: "oapi-codegen",
  compile: async (folder) => {
    const env = await offline(folder)
    await run(folder, ["go", "mod", "init", "clients"], env)
    for (const name of apiNames) {
      await mkdir(join(folder, name))
      const words = ["-generate", "types,client", "-package", name, "-o", `${name}/client.go`]
      await run(folder, ["oapi-codegen", ...words, `${name}.json`])
    }
    // It tells of each module that it adds.
    await run(folder, ["go", "get", runtime], env)
    return run(folder, ["go", "build", "./..."], env)
  },
  tell: async (folder, settings) =>
    run(folder, ["go", "run", "./story"], { ...(await offline(folder)), ...settings })
}

const openapiPythonClient: Generator = {
  name: "openapi-python-client",
  compile: async (folder) => {
    const said: Array<string> = []
    for (const name of apiNames) {
      const words = ["--path", `${name}.json`, "--meta", "none", "--output-path", `python_${name}`]
      said.push(await run(folder, ["openapi-python-client", "generate", ...words]))
    }
    const folders = apiNames.map((name) => `python_${name}`)
    said.push(await run(folder, ["python3", "-m", "compileall", "-q", ...folders]))
    return said.filter((text) => !/^Generating \w+\s*$/.test(text)).join("")
  },
  tell: (folder, settings) => run(folder, ["python3", "story.py"], settings)
}

const isHere = async (...commands: ReadonlyArray<ReadonlyArray<string>>): Promise<boolean> => {
  const folder = tmpdir()
  try {
    for (const command of commands) {
      await run(folder, command, command[0] === "go" ? await offline(folder) : {})
    }
    return true
  } catch {
    return false
  }
}

export const generators: ReadonlyArray<Generator> = [
  openapiTypescript,
  heyApi,
  ...((await isHere(["oapi-codegen", "-version"], ["go", "list", "-m", runtime])) ? [oapiCodegen] : []),
  ...((await isHere(
    ["openapi-python-client", "--version"],
    ["ruff", "--version"],
    ["python3", "-c", "import attr, httpx"]
  ))
    ? [openapiPythonClient]
    : [])
]
