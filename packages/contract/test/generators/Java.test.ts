/** Clients in Java by openapi-generator, where it is here with Java and Maven, whose cache has the libraries of its clients. */
import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { apiNames, documents } from "../Documents.ts"

const run = async (cwd: string, program: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const { stdout } = await promisify(execFile)(program, args, { cwd, maxBuffer: 64 * 1024 * 1024 })
  return stdout
}

const isHere = async (): Promise<boolean> => {
  try {
    await run(tmpdir(), "openapi-generator-cli", "version")
    await run(tmpdir(), "mvn", "--version")
    return true
  } catch {
    process.stdout.write("No openapi-generator-cli with Maven was found: clients in Java are left out here\n")
    return false
  }
}

/** That which the generator takes by itself, and that of Java's own HTTP client. */
const libraries = (await isHere()) ? ["okhttp-gson", "native"] : []

const without = "apiTests=false,modelTests=false,apiDocs=false,modelDocs=false"

const guide = new URL("../../../../docs/integrating/generate.md", import.meta.url)

/** What the guide does with the client of the integration API. */
const program = async (): Promise<string> => {
  const [, lines = ""] = /^```java\n([^]*?)^```/m.exec(await readFile(guide, "utf8")) ?? []
  return `import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.ExecutionsApi;
import org.openapitools.client.model.CreateExecution;

public class Program {
  public static void main(String base, String key, UUID agent, UUID task) throws Exception {
    ${lines}
  }
}
`
}

describe("clients in Java", () => {
  it.each(apiNames)("compile, of the document of the %s API", { timeout: 1_800_000 }, async (name) => {
    const folder = await mkdtemp(join(tmpdir(), "runhook-java-"))
    await writeFile(join(folder, "api.json"), JSON.stringify(documents[name]))
    const said: Array<string> = []

    for (const library of libraries) {
      const words = ["generate", "-g", "java", "--library", library, "-i", "api.json", "-o", library]
      await run(folder, "openapi-generator-cli", ...words, "--global-property", without)
      if (name === "integration" && library === "native")
        await writeFile(join(folder, library, "src/main/java/Program.java"), await program())
      const quiet = ["--offline", "--quiet", "--batch-mode", "-Dstyle.color=never"]
      said.push(await run(join(folder, library), "mvn", ...quiet, "compile"))
    }

    await rm(folder, { recursive: true })
    assert.deepStrictEqual(
      said,
      libraries.map(() => "")
    )
  })
})
