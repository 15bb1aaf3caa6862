/** What is published with the tarballs, so that others can check them: bills of materials, the provenance, checksums. */
import { createHash } from "node:crypto"
import { readFile, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import type { Packed } from "../pack/Packing.ts"
import { root } from "../pack/PublicPackages.ts"
import type { Components } from "./Components.ts"
import { sbomOf } from "./Sbom.ts"

const textOf = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const sha256 = async (file: string): Promise<string> =>
  createHash("sha256")
    .update(await readFile(file))
    .digest("hex")

export interface ArtefactOptions {
  /** Other files that are published; they bring nothing. */
  readonly beside?: ReadonlyArray<string>
  readonly commit: string
  /** The folder of the tarballs. */
  readonly into: string
  readonly componentsOf: (packed: Packed) => Components
}

/** Writes them beside the tarballs. */
export const writeArtefacts = async (
  packed: ReadonlyArray<Packed>,
  { beside = [], commit, componentsOf, into }: ArtefactOptions
): Promise<void> => {
  const tarballs = packed.map(({ file }) => file)
  const sbomFileOf = (file: string) => file.replace(/\.tgz$/, ".cdx.json")
  const provenance = join(into, "provenance.json")
  for (const each of packed) {
    await writeFile(sbomFileOf(each.file), textOf(sbomOf(each.manifest, componentsOf(each))))
  }
  await writeFile(provenance, textOf(await provenanceOf([...tarballs, ...beside], commit)))
  const files = [...tarballs, ...beside, ...tarballs.map(sbomFileOf), provenance]
  const sums = await Promise.all(files.map(async (file) => `${await sha256(file)}  ${basename(file)}\n`))
  await writeFile(join(into, "SHA256SUMS"), sums.join(""))
}

/**
 * An in-toto statement with the predicate of SLSA 1.0, of what is known here: which bytes came of which commit and
 * lock file, by which command. Nobody but its maker vouches for it. One that a registry can check is made, and signed,
 * by `npm publish --provenance` in CI.
 */
const provenanceOf = async (tarballs: ReadonlyArray<string>, commit: string) => ({
  _type: "https://in-toto.io/Statement/v1",
  subject: await Promise.all(
    tarballs.map(async (file) => ({ name: basename(file), digest: { sha256: await sha256(file) } }))
  ),
  predicateType: "https://slsa.dev/provenance/v1",
  predicate: {
    buildDefinition: {
      buildType: "urn:runhook:npm-run-pack",
      externalParameters: { command: "npm run pack" },
      internalParameters: { node: process.version, platform: `${process.platform}-${process.arch}` },
      resolvedDependencies: [
        { name: "source", digest: { gitCommit: commit } },
        { name: "pnpm-lock.yaml", digest: { sha256: await sha256(join(root, "pnpm-lock.yaml")) } }
      ]
    },
    runDetails: { builder: { id: "urn:runhook:maintainer" } }
  }
})
