/** Reads the guides from a clone of the repository, which a host that embeds the service may lack. */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import type { GuideSource } from "./Guide.ts"

/** Documents outside `docs` that the guides lead to. */
const others = [
  "packages/sdk",
  "packages/sdk-python",
  "packages/sdk-go",
  "examples/agent",
  "examples/embedder",
  "examples/integrator",
  "examples/operator"
]

/**
 * The documents under a root; none if there are none. Decisions and pictures are
 * for readers of the repository.
 */
export const read = Effect.fn("GuideFiles.read")(function* (root: URL) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const from = yield* Effect.orDie(path.fromFileUrl(root))

  const readOne = (file: string) =>
    Effect.map(files.readFileString(path.join(from, file)), (text): GuideSource => ({ file, text }))

  const docs = yield* Effect.orElseSucceed(
    files.readDirectory(path.join(from, "docs"), { recursive: true }),
    (): ReadonlyArray<string> => []
  )
  const guides = docs
    .map((file) => `docs/${file.replaceAll("\\", "/")}`)
    .filter((file) => file.endsWith(".md") && !/^docs\/(?:adr|screenshots)\//.test(file))
    .toSorted()
  const readmes = others.map((folder) => `${folder}/README.md`)
  const found = yield* Effect.forEach([...guides, ...readmes], (file) => Effect.option(readOne(file)))
  return found.flatMap((source) => (source._tag === "Some" ? [source.value] : []))
})
