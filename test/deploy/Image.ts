/**
 * Images without Docker: the steps of the Dockerfile, done one after the other
 * into empty folders. They run in the tree itself, where everything is installed,
 * and not in a copy of it.
 */
import { execFile, execFileSync } from "node:child_process"
import { constants, readFileSync } from "node:fs"
import { chmod, copyFile, cp, lchown, link, mkdir, mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { root as tree } from "../../scripts/pack/PublicPackages.ts"
import { commandIn, pairsIn, type Stage, stagesIn, wordsOf } from "./Dockerfile.ts"

export interface Image {
  /** The folder that is its root. */
  readonly root: string
  /** Such as `1000:1000`. */
  readonly user: string
  readonly entrypoint: ReadonlyArray<string>
  readonly command: ReadonlyArray<string>
  readonly health: ReadonlyArray<string>
  /** Its environment, for a shell of this machine. */
  readonly env: Readonly<Record<string, string>>
  /** Where a file of the image is for such a shell. */
  readonly placeOf: (path: string) => string
  /** A command of the image for such a shell: as its user, and in its root where that has all it needs. */
  readonly shell: (words: ReadonlyArray<string>) => string
}

export interface Images extends AsyncDisposable {
  readonly alone: Image
  readonly withPostgres: Image
}

export const stages = stagesIn(readFileSync(join(tree, "Dockerfile"), "utf8"))

export const isRoot = process.getuid?.() === 0

export const build = async (): Promise<Images> => {
  const home = await mkdtemp(join(tmpdir(), "runhook-image-"))
  // Another user runs what is in it.
  await chmod(home, 0o711)
  const done = new Map<string, Promise<string>>()

  const rootOf = (name: string): Promise<string> => {
    const root = done.get(name) ?? doSteps(stageOf(name), join(home, name))
    done.set(name, root)
    return root
  }

  const doSteps = async ({ steps }: Stage, root: string) => {
    await mkdir(root)
    for (const { flags, name, words } of steps) {
      if (name === "RUN") await runStep(words, root)
      if (name === "COPY" && flags["from"] !== undefined) {
        const [from = "", to = ""] = words.split(" ")
        const source = join(await rootOf(flags["from"]), from)
        await cp(source, join(root, to), { recursive: true, verbatimSymlinks: true })
        if (flags["chown"] !== undefined) await give(join(root, to), flags["chown"])
      }
    }
    return root
  }

  const imageOf = async (target: string) => begun(stageOf(target), await rootOf(target))
  return {
    alone: await imageOf("alone"),
    withPostgres: await imageOf("with-postgres"),
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true, maxRetries: 10 })
  }
}

const stageOf = (name: string): Stage => {
  const found = stages.find((stage) => stage.name === name)
  if (found === undefined) throw new Error(`There is no stage ${name}`)
  return found
}

/** Paths that begin with a slash are in the root of the stage. */
const runStep = (words: string, root: string) =>
  promisify(execFile)("sh", ["-euc", words.replaceAll(/(?<=\s)\//g, `${root}/`)], {
    cwd: tree,
    env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` }
  })

/** Makes a user the owner of a folder and all that is in it, which only root can. */
export const give = async (folder: string, user: string) => {
  if (!isRoot) return
  const [uid = 0, gid = 0] = user.split(":").map(Number)
  for (const each of ["", ...(await readdir(folder, { recursive: true }))])
    await lchown(join(folder, each), uid, gid)
}

/** With what it begins with, and as it is run. */
const begun = async (stage: Stage, root: string): Promise<Image> => {
  const [user = "root"] = wordsOf(stage, "USER")
  const [entrypoint = [], command = [], health = []] = ["ENTRYPOINT", "CMD", "HEALTHCHECK"].map((name) =>
    commandIn(wordsOf(stage, name)[0])
  )
  const [program = ""] = entrypoint
  await putNode(join(root, program.startsWith("/") ? program : `usr/local/bin/${program}`))
  // One with a shell begins with more than Node.
  const isWhole = isRoot && program.startsWith("/")
  if (isWhole) await putLibraries(root)
  const placeOf = (path: string) => (path.startsWith("/") && !isWhole ? join(root, path) : path)
  const as = isRoot ? ["chroot", `--userspec=${user}`, isWhole ? root : "/"] : []
  const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`
  return {
    root,
    user,
    entrypoint,
    command,
    health,
    env: {
      ...Object.fromEntries(
        Object.entries(pairsIn(wordsOf(stage, "ENV"))).map(([name, value]) => [name, placeOf(value)])
      ),
      PATH: `${root}/usr/local/bin:/usr/sbin:/usr/bin:/bin`
    },
    placeOf,
    shell: (words) => [...as, ...words.map(placeOf)].map(quoted).join(" ")
  }
}

/** Of the image that a stage begins with, its Node. */
const putNode = async (place: string) => {
  await mkdir(dirname(place), { recursive: true })
  // It is large. A file system may allow no other name for it here.
  await link(process.execPath, place).catch(() => copyFile(process.execPath, place, constants.COPYFILE_EXCL))
}

const putLibraries = async (root: string) => {
  const said = execFileSync("ldd", [process.execPath], { encoding: "utf8" })
  for (const [library] of said.matchAll(/\/\S+/g)) {
    await mkdir(dirname(join(root, library)), { recursive: true })
    await copyFile(library, join(root, library))
  }
}
