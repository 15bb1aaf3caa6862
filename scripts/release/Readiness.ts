/** Whether this tree can be released, and what stands in the way. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"

export interface Tree {
  readonly branch: string
  /** The files that differ from the commit. */
  readonly changed: ReadonlyArray<string>
  readonly commit: string
  readonly tags: ReadonlyArray<string>
  readonly changelog: string
}

export const treeOf = (root: string): Tree => {
  const git = (...args: ReadonlyArray<string>) => execFileSync("git", args, { cwd: root, encoding: "utf8" })
  return {
    branch: git("branch", "--show-current").trim(),
    changed: linesOf(git("status", "--porcelain")),
    commit: git("rev-parse", "HEAD").trim(),
    tags: linesOf(git("tag", "--list")),
    changelog: readFileSync(join(root, "CHANGELOG.md"), "utf8")
  }
}

const linesOf = (text: string): ReadonlyArray<string> => text.split("\n").filter((line) => line !== "")

export interface Candidate extends Tree {
  /** Of all public packages. */
  readonly versions: ReadonlyArray<string>
}

export const tagOf = (version: string | undefined): string => `v${version}`

/** Sentences, each with what to do; empty when nothing stands in the way. */
export const obstacles = (candidate: Candidate): ReadonlyArray<string> => {
  const { branch, changed, changelog, tags } = candidate
  const versions = [...new Set(candidate.versions)]
  const [version] = versions
  const [, unreleased = ""] = /^## \[Unreleased\]\n([^]*?)(?=^## )/m.exec(changelog) ?? []
  return [
    changed.length > 0 && `Commit or remove what was changed: ${changed.join(", ")}.`,
    branch !== "main" && `Release from main, not from ${branch === "" ? "no branch" : branch}.`,
    versions.length > 1 && `Give all packages one version, not ${versions.join(" and ")}.`,
    tags.includes(tagOf(version)) && `Choose another version: ${tagOf(version)} is tagged already.`,
    !changelog.split("\n").some((line) => /^\d{4}-\d\d-\d\d$/.test(line.replace(`## [${version}] - `, ""))) &&
      `Give CHANGELOG.md an entry "## [${version}] - " with the date of today.`,
    unreleased.trim() !== "" && `Move what CHANGELOG.md has under "Unreleased" into the entry of ${version}.`
  ].filter((obstacle) => obstacle !== false)
}
