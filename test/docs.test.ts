import { existsSync, globSync, readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { ChangedKind } from "@runhook/core/accounts/AccountChange"
import { AuditAction } from "@runhook/core/audit/AuditEntry"
import { eventOnEntering } from "@runhook/core/deliveries/WebhookEventType"
import { ExecutionStatus, targetsOf } from "@runhook/core/executions/ExecutionStatus"
import { publicPackages } from "../scripts/pack/PublicPackages.ts"

const lifecycle = readFileSync("docs/lifecycle.md", "utf8")

const audit = readFileSync("docs/operating/audit.md", "utf8")

const secure = readFileSync("docs/operating/secure.md", "utf8")

const troubleshoot = readFileSync("docs/operating/troubleshoot.md", "utf8")

const watch = readFileSync("docs/operating/watch.md", "utf8")

const decisions = readFileSync("docs/adr/README.md", "utf8")

const codeList = (names: ReadonlyArray<string>) => names.map((name) => `\`${name}\``).join(", ")

const pages = globSync(["*.md", "docs/**/*.md", "bench/*.md", "{apps,examples,packages}/*/README.md"])

/** Where a page leads to within the repository. */
const hrefsOf = (page: string): ReadonlyArray<string> =>
  [...readFileSync(page, "utf8").matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, href = ""]) => href)

/** The anchors of a page, as GitHub makes them of its headings. */
const anchorsOf = (text: string): ReadonlyArray<string> =>
  [...text.replace(/^```.*?^```/gms, "").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-")
  )

const isThere = (target: URL): boolean =>
  existsSync(target) &&
  (target.hash === "" || anchorsOf(readFileSync(target, "utf8")).includes(target.hash.slice(1)))

/** Where a shell finds the command: in a folder where the package was installed. */
const isInstalling = /npm install [^`\n]*(?:@runhook\/server|runhook-server)/

describe("docs", () => {
  it.each(ExecutionStatus.literals)("shows where %s may go", (from) => {
    const targets = targetsOf(from)

    assert.include(lifecycle, `| \`${from}\` | ${targets.length === 0 ? "none" : codeList(targets)} |`)
  })

  it.each(ExecutionStatus.literals)("shows what entering %s emits", (status) => {
    const event = eventOnEntering(status)

    assert.strictEqual(lifecycle.includes(`| \`${status}\` | \`${event ?? "execution."}`), event !== null)
  })

  it.each(AuditAction.literals)("says when the audit log tells of %s", (action) => {
    assert.match(audit, new RegExp(`^\\| [^|]*\`${action}\`[^|]* \\| \\w`, "m"))
  })

  it.each(ChangedKind.literals)(
    "says that followers of an account hear of changes of the kind %s",
    (kind) => {
      const [, kinds = ""] = /^\| `change` \| `kind` \(([^)]+)\)/m.exec(watch) ?? []

      assert.include(kinds, `\`${kind}\``)
    }
  )

  it.each(pages)("leads from %s to files and headings that exist", (page) => {
    const broken = hrefsOf(page).filter((href) => !isThere(new URL(href, `file://${process.cwd()}/${page}`)))

    assert.deepStrictEqual(broken, [])
  })

  it.each(pages)(
    "runs npx in %s only where the command is installed, as npx asks the registry for others",
    (page) => {
      const text = readFileSync(page, "utf8")
      const bare = [...text.matchAll(/npx runhook\b/g)].filter(
        ({ index }) => !isInstalling.test(text.slice(0, index))
      )

      assert.deepStrictEqual(
        bare.map(({ index }) => text.slice(index, index + 60)),
        [],
        "Write an install line above it, `runhook …` in a sentence, or `npx -p @runhook/server runhook …`"
      )
    }
  )

  it.each([
    { folder: ".", manifest: { name: "@runhook/sdk", version: publicPackages()[0]?.manifest.version } },
    ...publicPackages()
  ])(
    "says in $folder that $manifest.name is not published, and how it is installed today",
    ({ folder, manifest: { name, version } }) => {
      const readme = readFileSync(`${folder}/README.md`, "utf8")
      const [, files = ""] = /npm install \.\/packed\/runhook-(\S+)-[\d.]+\.tgz/.exec(readme) ?? []

      assert.match(readme, /^[^\n]*[Nn]o(?:t|thing is) published yet/m)
      assert.include(readme, "npm run pack -- --into ../shop/packed")
      assert.include(readme, `-${version}.tgz`)
      assert.include(files.replace(/[{}]/g, "").split(","), name.replace("@runhook/", ""))
    }
  )

  it("names for each claim of the threat model a test or a decision that is there", () => {
    const proofs = [...secure.matchAll(/^\|.*\| (.+) \|$/gm)].flatMap(([, proof = ""]) =>
      [...proof.matchAll(/`((?:apps\/)?[\w-]+\/(?:test|src)\/[\w/-]+)`/g)].map(([, path = ""]) => path)
    )

    const missing = proofs.filter((path) => globSync(`{packages/,}${path}{,.test.ts}`).length === 0)
    assert.isAbove(proofs.length, 12)
    assert.deepStrictEqual(missing, [])
  })

  it("quotes lines that a start which fails does print", () => {
    const [, table = ""] = /## It does not start\n([^]*?)\n## /.exec(troubleshoot) ?? []
    const quoted = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, symptom = ""]) =>
      [...symptom.matchAll(/`([^`]+)`/g)].map(([, words = ""]) => words.replace(/ ?….*|… ?/, ""))
    )
    const sources = globSync("{apps,packages}/*/src/**/*.ts", { exclude: ["**/*.generated.ts"] })
      .map((file) => readFileSync(file, "utf8"))
      .join("\n")

    assert.isAbove(quoted.length, 7)
    assert.deepStrictEqual(
      quoted.filter((words) => !sources.includes(words)),
      []
    )
  })

  it.each(readdirSync("docs/adr").filter((file) => /^\d/.test(file)))(
    "lists the decision %s once",
    (file) => {
      const lines = decisions
        .split("\n")
        .filter((line) => line.startsWith(`- [${Number.parseInt(file)}](${file}): `))

      assert.lengthOf(
        lines,
        1,
        `docs/adr/README.md needs one line "- [${Number.parseInt(file)}](${file}): ..."`
      )
    }
  )
})
